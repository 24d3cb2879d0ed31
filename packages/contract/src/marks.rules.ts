import type { Viewer } from './permissions.rules.ts'
import { applyPush, type LoadedTickets, type TicketList } from './tickets.rules.ts'
import type { Ticket, TicketMarks } from './tickets.ts'

/** A ticket as its viewer marked it. */
export const withMarks = (ticket: Ticket, marks: TicketMarks): Ticket => ({
  ...ticket,
  following: marks.following.includes(ticket.id),
  pinned: marks.pinned.includes(ticket.id),
})

/** A list after its viewer marked a ticket: equals the list fetched again. */
export const applyMark = (
  loaded: LoadedTickets,
  marked: Ticket,
  viewer: Viewer,
  list: TicketList,
): LoadedTickets => {
  const { ticket, ...rest } = underMark(loaded, marked)
  return applyPush({ ...loaded, ...rest }, { action: 'update', ticket }, viewer, list)
}

/** A list after a ticket that its viewer had marked was deleted. */
export const unmarked = (loaded: LoadedTickets, ticketId: number): LoadedTickets => {
  const { pinned = [], following = [] } = loaded.marks ?? {}
  const others = (ids: number[]) => ids.filter(id => id !== ticketId)
  return { ...loaded, marks: { pinned: others(pinned), following: others(following) } }
}

/** Marks and rows with the mark, and the ticket as the list knows it best: a mark may be pushed with an older one. */
export function underMark({ tickets, marks }: LoadedTickets, marked: Ticket) {
  const { id, pinned, following } = marked
  const after = (ids: number[] = [], on = false) => [...ids.filter(one => one !== id), ...(on ? [id] : [])]
  const known = tickets.find(one => one.id === id)
  return {
    ticket: known && known.version > marked.version ? known : marked,
    tickets: tickets.map(one => (one.id === id ? { ...one, pinned, following } : one)),
    marks: { pinned: after(marks?.pinned, pinned), following: after(marks?.following, following) },
  }
}
