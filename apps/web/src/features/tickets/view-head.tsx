import { IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { queryClient } from '../../platform/query.ts'
import { texts } from '../../platform/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type ChosenView, usePlace } from './place.ts'
import classes from './ticket-pane.module.css'

const useText = texts({ close: ['Fechar a visão', 'Close the view', 'Cerrar la vista'] })

/** A list that only the server can decide is read again while it is looked at. */
const AGAIN_MS = 5_000

/** Which view is shown, in place of the tabs. */
export default function ViewHead({ view: { name, list }, count }: { view: ChosenView; count: number }) {
  const t = useText()
  const [, go] = usePlace()
  useEffect(() => {
    if (!list.search) return
    const again = () => void queryClient.invalidateQueries({ queryKey: ['tickets', 'list', list] })
    const timer = setInterval(again, AGAIN_MS)
    return () => clearInterval(timer)
  }, [list])
  return (
    <>
      <h2 className={`${classes.closed} one-line`}>{name}</h2>
      <Badge count={count} look="tertiary" />
      <IconButton
        small
        label={t('close')}
        onClick={() => {
          document.querySelector<HTMLElement>('[data-pane="list"]')?.focus()
          go({ view: undefined })
        }}
      >
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </>
  )
}
