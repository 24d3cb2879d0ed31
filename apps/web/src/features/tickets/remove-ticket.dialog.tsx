import type { Ticket } from '@balcao/contract/tickets.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useTicketText } from './tickets.text.ts'

interface Props {
  ticket: Ticket
  busy: boolean
  onClose(): void
  onConfirm(): void
}

/** Confirms the deletion of a ticket and all its messages. */
export default function RemoveTicketDialog({ ticket, busy, onClose, onConfirm }: Props) {
  const t = useTicketText()
  return (
    <Confirm
      title={t('removeTitle', { name: ticket.contact.name })}
      confirm={t('remove')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {t('removeHint')}
    </Confirm>
  )
}
