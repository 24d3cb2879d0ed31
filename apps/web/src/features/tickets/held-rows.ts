import { orderOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useRef } from 'react'
import type { Searched } from './tickets.cache.ts'

export interface HeldRow {
  ticket: Ticket
  /** It left the list; its place stays until the hand is away. */
  gone: boolean
}

/** The rows as the hand found them, each as it was last known. */
interface Hold {
  ids: number[]
  known: Map<number, Ticket>
  last: Ticket | undefined
}

/**
 * While a hand is on the list no row changes its place: what is new stands above the first row, what belongs behind the
 * last one follows it, and what leaves keeps its place until the hand is away.
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
  const standing = new Set(tickets.map(({ id }) => id))
  const rows = ids.map(id => ({ ticket: known.get(id)!, gone: !standing.has(id) }))
  return { rows: [...above, ...rows], fresh: above.length }
}

const byId = (tickets: Ticket[]) => new Map(tickets.map(ticket => [ticket.id, ticket]))
