import { orderOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useState } from 'react'
import type { Searched } from './tickets.cache.ts'

export interface HeldRow {
  ticket: Ticket
  /** It left the list; its slot stays until the list is no longer used. */
  gone: boolean
}

/** The rows as they were when use of the list began, each as it was last known. */
interface Hold {
  ids: readonly number[]
  known: ReadonlyMap<number, Ticket>
  last: Ticket | undefined
}

/**
 * While a list is used no row changes its position: new rows are counted above the first, rows that belong
 * after the last are appended, and rows that leave keep their slot until it is no longer used.
 */
export function useHeldRows(
  list: Searched,
  tickets: Ticket[],
  isHeld: boolean,
): { rows: HeldRow[]; fresh: number } {
  const [before, setHold] = useState<Hold | null>(null)
  const hold = isHeld ? grown(before, list, tickets) : null
  // React renders again with it before anything is shown
  if (hold !== before) setHold(hold)
  if (!hold) return { rows: tickets.map(ticket => ({ ticket, gone: false })), fresh: 0 }
  const { ids, known } = hold
  const present = new Set(tickets.map(({ id }) => id))
  const above = tickets.filter(({ id }) => !known.has(id)).map(ticket => ({ ticket, gone: false }))
  const rows = ids.map(id => ({ ticket: known.get(id)!, gone: !present.has(id) }))
  return { rows: [...above, ...rows], fresh: above.length }
}

/** The hold with what the tickets change of it; itself if that is nothing. */
function grown(hold: Hold | null, list: Searched, tickets: Ticket[]): Hold {
  if (!hold) return { ids: tickets.map(({ id }) => id), known: byId(tickets), last: tickets.at(-1) }
  const order = orderOf(list)
  let { last } = hold
  const behind: Ticket[] = []
  for (const ticket of tickets) {
    if (hold.known.has(ticket.id) || (last && order(last, ticket) > 0)) continue
    behind.push(ticket)
    last = ticket
  }
  const changed = tickets.filter(({ id }) => hold.known.has(id)).filter(one => hold.known.get(one.id) !== one)
  if (behind.length === 0 && changed.length === 0) return hold
  return {
    ids: [...hold.ids, ...behind.map(({ id }) => id)],
    known: new Map([...hold.known, ...byId([...changed, ...behind])]),
    last,
  }
}

const byId = (tickets: Ticket[]) => new Map(tickets.map(ticket => [ticket.id, ticket]))
