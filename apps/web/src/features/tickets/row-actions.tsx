import { may } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconCheck, IconMessageCheck } from '@tabler/icons-react'
import { useViewer } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useTicketActions } from './ticket-actions.tsx'
import { useTicketText } from './tickets.text.ts'

/** What can be done with a waiting ticket without opening it. */
export function TicketRowActions({ ticket }: { ticket: Ticket }) {
  const t = useTicketText()
  const viewer = useViewer()
  const { accept, resolve, dialogs } = useTicketActions(ticket)
  if (ticket.status !== 'pending') return null
  return (
    <>
      <IconButton small label={t('accept')} onClick={accept}>
        <IconMessageCheck size={18} stroke={1.75} />
      </IconButton>
      {may(viewer, 'tickets:resolveMany') && (
        <IconButton small label={t('resolve')} onClick={resolve}>
          <IconCheck size={18} stroke={1.75} />
        </IconButton>
      )}
      {dialogs}
    </>
  )
}
