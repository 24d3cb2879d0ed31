import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'
import { SOON_LATE_MS } from './targets.soon.ts'
import type { TargetFilter } from './targets.ts'
import type { BotFilter, Ticket, TicketMarks, TicketPush, TicketSort, TicketStatus } from './tickets.ts'

/** One list of the tickets screen. */
export interface TicketList {
  /** Null lists every status. */
  status: TicketStatus | null
  /** All tickets in all queues; accepted only from admins. */
  showAll: boolean
  /** The queues chosen in the selector, NO_QUEUE for none; undefined means all the viewer has. */
  queueIds?: number[] | undefined
  /** A search includes colleagues' open tickets; the list of open ones has only the viewer's own. */
  search?: boolean
  /** Newest first by default. */
  sort?: TicketSort | undefined
  /** Only those with unread messages. */
  unread?: true
  /** Only those with messages of the company that failed. */
  failed?: true
  /** Only those that a bot leads, or only the others. */
  bot?: BotFilter | undefined
  /** Those that are snoozed, which no other list has but a search. */
  snoozed?: true
  /** Only those that the viewer follows. */
  following?: true
  /** Only those that are late, or will be soon. */
  target?: TargetFilter | undefined
  /** The board's: active tickets visible to the viewer, of any attendant, longest waiting first. */
  board?: true
}

/** Among chosen queues: tickets without a queue. */
export const NO_QUEUE = 0

type Placed = Pick<Ticket, 'status' | 'queueId' | 'userId'> & {
  snoozedUntil?: string | null | undefined
} & Owned

/** The owner of the contact, in a ticket or beside its state; where neither has it, it is not known: as if there were none. */
interface Owned {
  ownerId?: number | null | undefined
  contact?: { ownerId: number | null }
}

/** The one policy: which tickets a user may see at all, over REST and over sockets. */
export const canSee = (viewer: Viewer, ticket: Placed): boolean =>
  may(viewer, 'tickets:showAll') ||
  ticket.userId === viewer.id ||
  (inOwnQueues(viewer, ticket) &&
    (may(viewer, 'contacts:all') || (ticket.contact?.ownerId ?? ticket.ownerId) === viewer.id))

const inOwnQueues = (viewer: Viewer, ticket: Placed) =>
  ticket.queueId === null ? viewer.authorization.allowNoQueue === 1 : viewer.queueIds.includes(ticket.queueId)

/**
 * The one policy of what a user may read. Seeing a pending ticket in the list does not imply reading it: everything
 * that contains texts of a ticket is checked here, or cut by `asReadBy`.
 */
export const canRead = (viewer: Viewer, ticket: Placed): boolean =>
  canSee(viewer, ticket) && (ticket.status !== 'pending' || may(viewer, 'tickets:viewPending'))

/** A ticket as visible to a viewer: without the right to read it its messages are left out. */
export const asReadBy = (viewer: Viewer, ticket: Ticket): Ticket =>
  canRead(viewer, ticket) ? ticket : withoutWords(ticket)

/** How much of its last message a ticket's row carries, in characters. */
export const LAST_WORDS = 300

/** The preview of a message in its ticket's row; equals the database's `left(body, LAST_WORDS)`. */
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
 * Which messages are shown in the conversation of a ticket, for a viewer who may read that ticket
 * (viewMessagesByTicket): its own; in mode 0 also the contact's other tickets, in mode 1 those that the viewer
 * attended. `place` is the state of the message's ticket: a pending one is read by those who may look into it.
 */
export function isInConversation(
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

/** Whether a ticket is in a list of this viewer: equals the SQL of the list. */
export function belongsInList(viewer: Viewer, list: TicketList, ticket: Placed): boolean {
  if ((list.status && ticket.status !== list.status) || !canSee(viewer, ticket)) return false
  if (!list.search && Boolean(list.snoozed) !== Boolean(ticket.snoozedUntil)) return false
  if (list.board && ticket.status === 'closed') return false
  if (ownOnly(viewer, list) && ticket.userId !== viewer.id) return false
  return inChosenQueues(viewer, list, ticket)
}

/** Whether a ticket of a list matches its filters: equals the SQL of the list. */
export const isAmong = (
  list: Pick<TicketList, 'unread' | 'failed' | 'bot' | 'following' | 'target'>,
  ticket: Pick<Ticket, 'unreadMessages' | 'failedMessages' | 'withBot' | 'following' | 'targetDueAt'>,
  now: number,
): boolean => {
  const left = Date.parse(ticket.targetDueAt ?? '') - now
  return (
    (!list.unread || ticket.unreadMessages > 0) &&
    (!list.failed || ticket.failedMessages > 0) &&
    (!list.bot || (list.bot === 'only') === ticket.withBot) &&
    (!list.following || ticket.following === true) &&
    (!list.target || (list.target === 'late' ? left <= 0 : left > 0 && left <= SOON_LATE_MS))
  )
}

export const everyones = (viewer: Viewer, list: TicketList) => list.showAll && may(viewer, 'tickets:showAll')

export const ownOnly = (viewer: Viewer, list: TicketList) =>
  list.status === 'open' && !list.search && !everyones(viewer, list)

/** Chosen queues mean exactly those. With none chosen the viewer's own tickets stay visible in any queue. */
function inChosenQueues(viewer: Viewer, list: TicketList, ticket: Placed) {
  const { queueId } = ticket
  if (queueId === null)
    return viewer.authorization.allowNoQueue === 1 && (list.queueIds?.includes(NO_QUEUE) ?? true)
  if (list.queueIds) return list.queueIds.includes(queueId)
  return everyones(viewer, list) || ticket.userId === viewer.id || viewer.queueIds.includes(queueId)
}

type Ordered = Pick<Ticket, 'updatedAt' | 'waitingSince' | 'targetDueAt' | 'id' | 'pinned'>

export const newestFirst = (a: Pick<Ticket, 'updatedAt' | 'id'>, b: Pick<Ticket, 'updatedAt' | 'id'>) =>
  compare(b.updatedAt, a.updatedAt) || b.id - a.id

/** What waits, or is late, the longest first; then the others (`~` is later than any instant), the longest idle first. */
const earliest = (at: 'waitingSince' | 'targetDueAt') => (a: Ordered, b: Ordered) =>
  compare(a[at] ?? '~', b[at] ?? '~') || compare(a.updatedAt, b.updatedAt) || a.id - b.id

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** Closed tickets do not wait, and a search returns the newest. */
export const listSort = ({ sort = 'newest', status, search, board }: TicketList): TicketSort =>
  board ? 'waiting' : !search && (status === 'open' || status === 'pending') ? sort : 'newest'

/** What the viewer pinned stands at the top of a list; not of a search, the board, or what is closed. */
export const liftsPinned = ({ search, board, status }: TicketList) => !search && !board && status !== 'closed'

/** The order of a list: the SQL of the list answers the same. */
export const orderOf = (list: TicketList): ((a: Ordered, b: Ordered) => number) => {
  const sort = listSort(list)
  const order = sort === 'newest' ? newestFirst : earliest(sort === 'target' ? 'targetDueAt' : 'waitingSince')
  return liftsPinned(list)
    ? (a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false) || order(a, b)
    : order
}

/**
 * Two changes of one ticket may be announced out of order, since each process publishes after its own commit.
 * Remembers the newest version seen of every ticket; false for older events.
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

/** A list on the screen: rows in order, whether older ones follow, and their total. */
export interface LoadedTickets {
  tickets: Ticket[]
  hasMore: boolean
  count: number
  /** The viewer's marks; without them there are none. */
  marks?: TicketMarks | undefined
}

/**
 * Applies one push to one loaded list. The result equals the list fetched again: loaded rows follow the ticket, and
 * the count follows it too where it is beyond the loaded rows.
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
  const ticket = push.action === 'update' ? push.ticket : null
  const stays = ticket !== null && belongs(ticket)
  // the owner is in it where it changed
  const before =
    push.action === 'update' && push.before
      ? { ownerId: push.ticket.contact?.ownerId, ...push.before }
      : push.action === 'delete'
        ? push.place
        : push.before
  const counted = known || (before === undefined ? stays : belongs(before))
  const [following, pinned] = [loaded.marks?.following.includes(id), loaded.marks?.pinned.includes(id)]
  return {
    ...loaded,
    tickets: stays
      ? withTicket(
          loaded,
          // a push to many has no marks
          { ...ticket, following: following ?? false, pinned: pinned ?? false },
          orderOf(list),
        )
      : loaded.tickets.filter(one => one.id !== id),
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

/** The queue that accepting uses automatically: the ticket's, else the viewer's only one; null: it has to be chosen. */
export const queueForAccept = (viewer: Viewer, ticket: Pick<Ticket, 'queueId'>): number | null =>
  ticket.queueId ?? (viewer.queueIds.length === 1 ? (viewer.queueIds[0] ?? null) : null)

/** WhatsApp's own limits on the official API (Meta, "Messages"). */
export const MAX_CLOUD_TEXT = 4_096
export const MAX_CLOUD_CAPTION = 1_024

/** After this moment only templates may be written; null is never over. */
export const repliesAreOver = (repliesUntil: string | null, now: number) =>
  repliesUntil !== null && Date.parse(repliesUntil) <= now
