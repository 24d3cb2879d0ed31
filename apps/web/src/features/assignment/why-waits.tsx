import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { assigningQueues } from './assignment.api.ts'
import { useAssignmentText } from './assignment.text.ts'

/** Why a waiting ticket was given to no attendant yet; in brief where there is no place for words. */
export default function WhyWaits({ ticket, isBrief = false }: { ticket: Ticket; isBrief?: boolean }) {
  const t = useAssignmentText()
  const { data: queues = [] } = useQuery(assigningQueues)
  const reason = queues.find(({ queueId }) => queueId === ticket.queueId)?.waitingReason
  if (!reason || ticket.withBot || ticket.snoozedUntil) return null
  const words = t(reason)
  if (isBrief)
    return (
      <span title={words} style={{ display: 'inline-flex', color: 'var(--text-3)' }}>
        <IconUserOff size={15} stroke={2} role="img" aria-label={words} />
      </span>
    )
  return (
    <span role="status" style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
      <IconUserOff size={15} stroke={2} aria-hidden />
      {words}
    </span>
  )
}
