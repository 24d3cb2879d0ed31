import type { Ticket } from '@balcao/contract/tickets.ts'
import { useMay } from '../../platform/session.tsx'
import { stable, useActiveLists, useTicketList } from './tickets.api.ts'

/**
 * What is late: of everybody for admins, else the viewer's own; the longest late first. Requested after the lists themselves, and
 * only where one of their tickets has a clock: most companies have no targets.
 */
export function useLateTickets(): Ticket[] {
  const showAll = useMay('tickets:showAll')
  const lists = useActiveLists()
  const loaded = [lists.open, lists.pending].map(({ list }) => list?.tickets)
  const isTurn = loaded.every(Boolean) && loaded.some(some => some!.some(ticket => ticket.targetDueAt))
  const open = useTicketList(stable({ status: 'open', showAll, target: 'late' }), isTurn)
  const pending = useTicketList(stable({ status: 'pending', showAll, target: 'late' }), isTurn && showAll)
  return [...(open.list?.tickets ?? []), ...(pending.list?.tickets ?? [])].sort((a, b) =>
    (a.targetDueAt ?? '') < (b.targetDueAt ?? '') ? -1 : 1,
  )
}
