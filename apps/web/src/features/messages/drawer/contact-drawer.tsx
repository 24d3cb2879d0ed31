import type { Ticket } from '@balcao/contract/tickets.ts'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { soon } from '../../../ui/soon.tsx'
import classes from './drawer.module.css'
import { useDrawerText } from './drawer.text.ts'

const Details = soon(() => import('./details.tsx'))
const DrawerOver = soon(() => import('./drawer-over.tsx'))

/**
 * Whether the contact is shown beside the conversation. With room for three panes that is remembered; as an
 * overlay it is shown only until it is closed.
 */
export function useContactDrawer() {
  const isRoomy = useMediaQuery('(min-width: 1280px)', undefined, { getInitialValueInEffect: false })
  const [kept, keep] = useLocalStorage({
    key: 'contactDrawer',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [isOver, setOver] = useState(false)
  const isOpen = isRoomy ? kept : isOver
  const set = isRoomy ? keep : setOver
  return { isRoomy, isOpen, toggle: () => set(!isOpen), close: () => set(false) }
}

interface Props {
  ticket: Ticket
  drawer: ReturnType<typeof useContactDrawer>
  /** Shows a message in the conversation, once that is there. */
  onJump?(messageId: string): void
}

/** The contact: a third pane, or an overlay where there is no room for one. */
export function ContactDrawer({ ticket, drawer, onJump }: Props) {
  const t = useDrawerText()
  const { isRoomy, isOpen, close } = drawer
  // stays mounted during the closing transition
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const jump = (messageId: string) => {
    if (!isRoomy) close()
    onJump?.(messageId)
  }
  const details = <Details ticket={ticket} onJump={jump} />
  const cross = (
    <IconButton label={t('close')} onClick={close}>
      <IconX size={19} stroke={1.75} />
    </IconButton>
  )
  if (isRoomy)
    return (
      isOpen && (
        <aside className={classes.drawer} aria-label={t('contact')}>
          <header className={classes.head}>
            <h2 className={classes.title}>{t('contact')}</h2>
            {cross}
          </header>
          {details}
        </aside>
      )
    )
  return (
    wasOpen && (
      <DrawerOver isOpen={isOpen} title={t('contact')} cross={cross} onClose={close}>
        {details}
      </DrawerOver>
    )
  )
}
