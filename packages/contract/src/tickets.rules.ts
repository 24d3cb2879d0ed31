import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import type { Ticket, TicketPush, TicketStatus } from './tickets.ts'

/** One list of the tickets screen. */
export interface TicketList {
  /** Null lists every status. */
  status: TicketStatus | null
  /** Everyone's tickets in all queues; only heard from admins. */
  showAll: boolean
  /** The queues chosen in the selector; undefined means all the viewer has. */
  queueIds?: number[] | undefined
  /** A search looks at colleagues' open tickets too; the living list of open ones holds the viewer's own. */
  search?: boolean
}

type Placed = Pick<Ticket, 'status' | 'queueId' | 'userId'>

/** The one policy: which tickets a user may see at all, over REST and over sockets. */
export const canSee = (viewer: Viewer, ticket: Placed): boolean =>
  may(viewer, 'tickets:showAll') || ticket.userId === viewer.id || inOwnQueues(viewer, ticket)

const inOwnQueues = (viewer: Viewer, ticket: Placed) =>
  ticket.queueId === null ? viewer.authorization.allowNoQueue === 1 : viewer.queueIds.includes(ticket.queueId)

/** Seeing a pending ticket in the list is not yet being allowed to read it. */
export const canRead = (viewer: Viewer, ticket: Placed): boolean =>
  canSee(viewer, ticket) && (ticket.status !== 'pending' || may(viewer, 'tickets:viewPending'))

/** Whether a ticket stands in a list for this viewer: the SQL of the list answers the same. */
export function belongsInList(viewer: Viewer, list: TicketList, ticket: Placed): boolean {
  if ((list.status && ticket.status !== list.status) || !canSee(viewer, ticket)) return false
  if (ownOnly(viewer, list) && ticket.userId !== viewer.id) return false
  return inChosenQueues(viewer, list, ticket)
}

export const everyones = (viewer: Viewer, list: TicketList) => list.showAll && may(viewer, 'tickets:showAll')

export const ownOnly = (viewer: Viewer, list: TicketList) =>
  list.status === 'open' && !list.search && !everyones(viewer, list)

/** A ticket of one's own in a foreign queue stays in sight: no selector could bring it back. */
function inChosenQueues(viewer: Viewer, list: TicketList, ticket: Placed) {
  if (ticket.queueId === null) return viewer.authorization.allowNoQueue === 1
  if (ticket.userId === viewer.id && !viewer.queueIds.includes(ticket.queueId)) return true
  if (list.queueIds) return list.queueIds.includes(ticket.queueId)
  return everyones(viewer, list) || viewer.queueIds.includes(ticket.queueId)
}

export const newestFirst = (a: Pick<Ticket, 'updatedAt' | 'id'>, b: Pick<Ticket, 'updatedAt' | 'id'>) =>
  a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1

/**
 * Two changes of one ticket may be announced out of order, since each process speaks when its own commit returns.
 * Remembers the newest version seen of every ticket; false for news older than that.
 */
export function isNews(seen: Map<number, number>, push: TicketPush): boolean {
  if (push.action === 'delete') {
    seen.set(push.ticketId, Number.POSITIVE_INFINITY)
    return true
  }
  const { id, version } =
    push.action === 'update' ? push.ticket : { id: push.ticketId, version: push.version }
  if (version < (seen.get(id) ?? 0)) return false
  seen.set(id, version)
  return true
}

/** What a list on the screen holds: rows in order, whether older ones follow, and how many there are in all. */
export interface LoadedTickets {
  tickets: Ticket[]
  hasMore: boolean
  count: number
}

/**
 * What one push makes of one loaded list. The result equals the list fetched again: rows that are loaded follow the
 * ticket, and the count follows it too where it stands beyond what is loaded.
 */
export function applyPush(
  loaded: LoadedTickets,
  push: TicketPush,
  viewer: Viewer,
  list: TicketList,
): LoadedTickets {
  if (push.action === 'updateUnread')
    return {
      ...loaded,
      tickets: loaded.tickets.map(t =>
        t.id === push.ticketId ? { ...t, unreadMessages: 0, version: push.version } : t,
      ),
    }
  const belongs = (place: Placed | null) => place !== null && belongsInList(viewer, list, place)
  const id = push.action === 'delete' ? push.ticketId : push.ticket.id
  const known = loaded.tickets.some(ticket => ticket.id === id)
  const stays = push.action === 'update' && belongs(push.ticket)
  const before = push.action === 'delete' ? push.place : push.before
  const counted = known || (before === undefined ? stays : belongs(before))
  return {
    ...loaded,
    tickets: stays ? withTicket(loaded, push.ticket) : loaded.tickets.filter(ticket => ticket.id !== id),
    count: loaded.count + Number(stays) - Number(counted),
  }
}

/** A row older than the last loaded one waits for its page instead of leaving a gap before it. */
function withTicket({ tickets, hasMore }: LoadedTickets, ticket: Ticket): Ticket[] {
  const others = tickets.filter(other => other.id !== ticket.id)
  const last = tickets.at(-1)
  const beyond = hasMore && last !== undefined && newestFirst(last, ticket) < 0
  return beyond && others.length === tickets.length ? tickets : [...others, ticket].sort(newestFirst)
}

/** The queue an accept uses without asking: the ticket's, else the viewer's only one; null means ask. */
export const queueForAccept = (viewer: Viewer, ticket: Pick<Ticket, 'queueId'>): number | null =>
  ticket.queueId ?? (viewer.queueIds.length === 1 ? (viewer.queueIds[0] ?? null) : null)
