import type { Ticket } from '@balcao/contract/tickets.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useTicketText } from './tickets.text.ts'

interface Props {
  ticket: Ticket
  onClose(): void
  onConfirm(): void
}

/** Asks before a ticket and all that was said in it is deleted. */
export default function RemoveTicketDialog({ ticket, onClose, onConfirm }: Props) {
  const t = useTicketText()
  return (
    <Confirm
      title={t('removeTitle', { name: ticket.contact.name })}
      confirm={t('remove')}
      danger
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {t('removeHint')}
    </Confirm>
  )
}
