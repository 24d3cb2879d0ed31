import { Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useShortcuts } from '../../platform/shortcuts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { soon } from '../../ui/soon.tsx'
import { useOrder, usePlace } from './place.ts'
import { useTicketText } from './tickets.text.ts'

const ListChoice = soon(() => import('./list-choice.tsx'))

/** Which queues the lists show, and in which order. */
export function QueueFilter() {
  const t = useTicketText()
  const [{ queueIds, unread, failed, bot, target, view }] = usePlace()
  const [order] = useOrder()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useShortcuts({
    'alt+v': () => {
      // it gets the focus back: the row that has it now may be in another list then
      button.current?.focus()
      setOpen(!open)
    },
  })
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" returnFocus>
      <Popover.Target>
        <IconButton
          ref={button}
          label={t('queuesAndOrder')}
          shortcut="Alt+V"
          tinted={Boolean(view || queueIds || unread || failed || bot || target || order)}
          onClick={() => setOpen(!open)}
        >
          <IconFilter size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('queuesAndOrder')}>
        <ListChoice onClose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
