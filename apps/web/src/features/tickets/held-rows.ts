import { orderOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useRef } from 'react'
import type { Searched } from './tickets.cache.ts'

export interface HeldRow {
  ticket: Ticket
  /** It left the list; its slot stays until the list is no longer used. */
  gone: boolean
}

/** The rows as they were when use of the list began, each as it was last known. */
interface Hold {
  ids: number[]
  known: Map<number, Ticket>
  last: Ticket | undefined
}

/**
 * While a list is used no row changes its position: new rows are counted above the first, rows that belong
 * after the last are appended, and rows that leave keep their slot until it is no longer used.
 */
export function useHeldRows(
  list: Searched,
  tickets: Ticket[],
  held: boolean,
): { rows: HeldRow[]; fresh: number } {
  const hold = useRef<Hold | null>(null)
  if (!held) {
    hold.current = null
    return { rows: tickets.map(ticket => ({ ticket, gone: false })), fresh: 0 }
  }
  hold.current ??= { ids: tickets.map(({ id }) => id), known: byId(tickets), last: tickets.at(-1) }
  const { ids, known, last } = hold.current
  const order = orderOf(list)
  const above: HeldRow[] = []
  for (const ticket of tickets) {
    if (!known.has(ticket.id)) {
      if (last && order(last, ticket) > 0) {
        above.push({ ticket, gone: false })
        continue
      }
      ids.push(ticket.id)
      hold.current.last = ticket
    }
    known.set(ticket.id, ticket)
  }
  const present = new Set(tickets.map(({ id }) => id))
  const rows = ids.map(id => ({ ticket: known.get(id)!, gone: !present.has(id) }))
  return { rows: [...above, ...rows], fresh: above.length }
}

const byId = (tickets: Ticket[]) => new Map(tickets.map(ticket => [ticket.id, ticket]))
