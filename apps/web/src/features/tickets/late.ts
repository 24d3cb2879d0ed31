import type { Ticket } from '@balcao/contract/tickets.ts'
import { useMay } from '../../platform/session.tsx'
import { stable, useActiveLists, useTicketList } from './tickets.api.ts'

/** What is late: of everybody for admins, else the viewer's own; the longest late first. Requested after the lists themselves. */
export function useLateTickets(): Ticket[] {
  const showAll = useMay('tickets:showAll')
  const lists = useActiveLists()
  const isTurn = !lists.open.isPending && !lists.pending.isPending
  const open = useTicketList(stable({ status: 'open', showAll, target: 'late' }), isTurn)
  const pending = useTicketList(stable({ status: 'pending', showAll, target: 'late' }), isTurn && showAll)
  return [...(open.list?.tickets ?? []), ...(pending.list?.tickets ?? [])].sort((a, b) =>
    (a.targetDueAt ?? '') < (b.targetDueAt ?? '') ? -1 : 1,
  )
}
