import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import type { Ticket, TicketPush, TicketSort, TicketStatus } from './tickets.ts'

/** One list of the tickets screen. */
export interface TicketList {
  /** Null lists every status. */
  status: TicketStatus | null
  /** Everyone's tickets in all queues; only heard from admins. */
  showAll: boolean
  /** The queues chosen in the selector, NO_QUEUE for none; undefined means all the viewer has. */
  queueIds?: number[] | undefined
  /** A search looks at colleagues' open tickets too; the living list of open ones holds the viewer's own. */
  search?: boolean
  /** Newest first unless said otherwise. */
  sort?: TicketSort | undefined
  /** The board's: what lives in the viewer's sight, whoever attends it, who waits longest first. */
  board?: true
}

/** Stands among chosen queues for the tickets that have none. */
export const NO_QUEUE = 0

type Placed = Pick<Ticket, 'status' | 'queueId' | 'userId'>

/** The one policy: which tickets a user may see at all, over REST and over sockets. */
export const canSee = (viewer: Viewer, ticket: Placed): boolean =>
  may(viewer, 'tickets:showAll') || ticket.userId === viewer.id || inOwnQueues(viewer, ticket)

const inOwnQueues = (viewer: Viewer, ticket: Placed) =>
  ticket.queueId === null ? viewer.authorization.allowNoQueue === 1 : viewer.queueIds.includes(ticket.queueId)

/**
 * The one policy of what a user may read. Seeing a pending ticket in the list is not yet being allowed to read it:
 * everything that carries words of a ticket asks here, or is cut by `asReadBy`.
 */
export const canRead = (viewer: Viewer, ticket: Placed): boolean =>
  canSee(viewer, ticket) && (ticket.status !== 'pending' || may(viewer, 'tickets:viewPending'))

/** A ticket as a viewer may have it: who may not read it is shown that it is there, not what was said. */
export const asReadBy = (viewer: Viewer, ticket: Ticket): Ticket =>
  canRead(viewer, ticket) ? ticket : withoutWords(ticket)

/** How much of its last message a ticket's row carries, in characters. */
export const LAST_WORDS = 300

/** The beginning of a message for its ticket's row; cuts where the database's `left(body, LAST_WORDS)` does. */
export const lastWordsOf = (body: string): string =>
  body.length <= LAST_WORDS
    ? body
    : Array.from(body.slice(0, 2 * LAST_WORDS))
        .slice(0, LAST_WORDS)
        .join('')

export const withoutWords = (ticket: Ticket): Ticket => ({
  ...ticket,
  lastMessage: '',
  lastMessageId: null,
  lastMessageFromMe: false,
  lastMessageAck: 0,
  lastMessageType: null,
  lastMessageBy: null,
})

/**
 * Which messages stand in the conversation of a ticket, for one who may read that ticket (viewMessagesByTicket): its
 * own; in mode 0 also what else was said with the contact, in mode 1 of that what the viewer himself attended. `place`
 * is where the ticket of the message stands: one that waits is read by those who may look into it.
 */
export function standsIn(
  viewer: Viewer,
  ticket: Pick<Ticket, 'id' | 'contactId'>,
  message: { ticketId: number; contactId: number },
  place: Placed,
): boolean {
  if (message.ticketId === ticket.id) return true
  const mode = viewer.authorization.viewMessagesByTicket
  if (mode === 2 || message.contactId !== ticket.contactId) return false
  if (place.status === 'pending' && !may(viewer, 'tickets:viewPending')) return false
  return mode === 0 || place.userId === viewer.id
}

/** Whether a ticket stands in a list for this viewer: the SQL of the list answers the same. */
export function belongsInList(viewer: Viewer, list: TicketList, ticket: Placed): boolean {
  if ((list.status && ticket.status !== list.status) || !canSee(viewer, ticket)) return false
  if (list.board && ticket.status === 'closed') return false
  if (ownOnly(viewer, list) && ticket.userId !== viewer.id) return false
  return inChosenQueues(viewer, list, ticket)
}

export const everyones = (viewer: Viewer, list: TicketList) => list.showAll && may(viewer, 'tickets:showAll')

export const ownOnly = (viewer: Viewer, list: TicketList) =>
  list.status === 'open' && !list.search && !everyones(viewer, list)

/** Chosen queues mean exactly those. With none chosen a ticket of one's own stays in sight wherever it stands. */
function inChosenQueues(viewer: Viewer, list: TicketList, ticket: Placed) {
  const { queueId } = ticket
  if (queueId === null)
    return viewer.authorization.allowNoQueue === 1 && (list.queueIds?.includes(NO_QUEUE) ?? true)
  if (list.queueIds) return list.queueIds.includes(queueId)
  return everyones(viewer, list) || ticket.userId === viewer.id || viewer.queueIds.includes(queueId)
}

type Ordered = Pick<Ticket, 'updatedAt' | 'waitingSince' | 'id'>

export const newestFirst = (a: Omit<Ordered, 'waitingSince'>, b: Omit<Ordered, 'waitingSince'>) =>
  compare(b.updatedAt, a.updatedAt) || b.id - a.id

/** Who waits longest first; after them those who have their answer, the longest quiet first. */
const longestWaiting = (a: Ordered, b: Ordered) =>
  compare(a.waitingSince ?? NEVER, b.waitingSince ?? NEVER) ||
  compare(a.updatedAt, b.updatedAt) ||
  a.id - b.id

/** Later than any instant. */
const NEVER = '~'
const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** Nobody waits in closed tickets, and a search looks for the newest. */
export const byWaiting = ({ sort, status, search, board }: TicketList) =>
  board || (sort === 'waiting' && !search && (status === 'open' || status === 'pending'))

/** The order of a list: the SQL of the list answers the same. */
export const orderOf = (list: TicketList): ((a: Ordered, b: Ordered) => number) =>
  byWaiting(list) ? longestWaiting : newestFirst

/**
 * Two changes of one ticket may be announced out of order, since each process speaks when its own commit returns.
 * Remembers the newest version seen of every ticket; false for news older than that.
 */
export function isNewer(seen: Map<number, number>, push: TicketPush): boolean {
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
    tickets: stays
      ? withTicket(loaded, push.ticket, orderOf(list))
      : loaded.tickets.filter(ticket => ticket.id !== id),
    count: loaded.count + Number(stays) - Number(counted),
  }
}

/** A row behind the last loaded one waits for its page instead of leaving a gap before it. */
function withTicket(
  { tickets, hasMore }: LoadedTickets,
  ticket: Ticket,
  order: ReturnType<typeof orderOf>,
): Ticket[] {
  const others = tickets.filter(other => other.id !== ticket.id)
  const last = tickets.at(-1)
  const beyond = hasMore && last !== undefined && order(last, ticket) < 0
  return beyond ? others : [...others, ticket].sort(order)
}

/** The queue an accept uses without asking: the ticket's, else the viewer's only one; null means ask. */
export const queueForAccept = (viewer: Viewer, ticket: Pick<Ticket, 'queueId'>): number | null =>
  ticket.queueId ?? (viewer.queueIds.length === 1 ? (viewer.queueIds[0] ?? null) : null)
