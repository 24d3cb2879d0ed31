import type { Ticket } from '@balcao/contract/tickets.ts'
import { snoozeTicket } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'
import UntilDialog from './until.dialog.tsx'

/** Until when one ticket is put aside. */
export default function SnoozeDialog({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const t = useTicketMarkText()
  return (
    <UntilDialog
      title={t('snoozeOf', { name: ticket.contact.name })}
      onClose={onClose}
      onChoose={until => {
        onClose()
        void snoozeTicket(ticket, until)
      }}
    />
  )
}
