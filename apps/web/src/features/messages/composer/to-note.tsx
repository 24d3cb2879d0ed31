import { IconNote } from '@tabler/icons-react'
import { drafts } from '../../../platform/drafts.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useMessageText } from '../messages.text.ts'

/** Turns the composer of a ticket to its notes. */
export function ToNote({ ticketId }: { ticketId: number }) {
  const t = useMessageText()
  return (
    <IconButton label={t('note')} shortcut="ctrl+alt+n" onClick={() => drafts.turn(ticketId, true)}>
      <IconNote size={19} stroke={1.75} />
    </IconButton>
  )
}
