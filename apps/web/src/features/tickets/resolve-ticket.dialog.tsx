import type { Ticket } from '@balcao/contract/tickets.ts'
import ClosingDialog from './closing.dialog.tsx'
import type { Closing } from './closing-fields.tsx'
import { useClosingText } from './tickets.closing.text.ts'

interface Props {
  ticket: Ticket
  busy: boolean
  onClose(): void
  onResolve(closing: Closing): void
}

/** Asks why one ticket is closed. */
export default function ResolveTicketDialog({ ticket, ...rest }: Props) {
  const t = useClosingText()
  return (
    <ClosingDialog title={t('title', { name: ticket.contact.name })} queueIds={[ticket.queueId]} {...rest} />
  )
}
