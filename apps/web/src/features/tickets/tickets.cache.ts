import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import {
  applyPush,
  belongsInList,
  isAmong,
  type LoadedTickets,
  type TicketList,
} from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketHit, TicketPush } from '@balcao/contract/tickets.ts'
import { recentPushes } from '../../platform/catch-up.ts'
import type { Narrowing } from './asked.ts'

/** A list as cached, with its number of fetched pages. */
export interface CachedList extends LoadedTickets {
  pages: number
  /** With a search text: matches in the conversations. */
  hits?: TicketHit[] | undefined
}

export interface Searched extends TicketList {
  searchParam?: string
  /** What the filters of a search add. */
  narrowing?: Narrowing
}

export const ticketPushes = recentPushes<TicketPush>()

/**
 * A list fetched since `moment`, with the pushes that arrived meanwhile and are newer than the answer. Not
 * `sure` where the answer does not show whether it counts such a ticket: one that is not among its rows.
 */
export function caughtUp(
  loaded: CachedList,
  moment: number,
  viewer: Viewer,
  list: Searched,
): { made: CachedList; sure: boolean } {
  const held = new Map(loaded.tickets.map(ticket => [ticket.id, ticket.version]))
  const news = ticketPushes.since(moment).filter(push => (held.get(idOf(push)) ?? -1) < versionOf(push))
  const made = news.reduce((now, push) => applied(now, push, viewer, list), loaded)
  const isNowhere = (id: number) => !held.has(id) && made.tickets.every(ticket => ticket.id !== id)
  return { made, sure: made.count === loaded.count || !news.map(idOf).some(isNowhere) }
}

const idOf = (push: TicketPush) => (push.action === 'update' ? push.ticket.id : push.ticketId)
const versionOf = (push: TicketPush) =>
  push.action === 'update' ? push.ticket.version : Number.POSITIVE_INFINITY

/** Applies one push to a cached ticket: an older version changes nothing. */
export function afterPush(known: Ticket, push: TicketPush): Ticket {
  if (push.action === 'update' && push.ticket.id === known.id && push.ticket.version >= known.version)
    // a push to many has no marks
    return { ...push.ticket, following: known.following, pinned: known.pinned }
  if (push.action === 'updateUnread' && push.ticketId === known.id && push.version >= known.version)
    return { ...known, unreadMessages: 0, version: push.version }
  return known
}

/**
 * Applies one push to one list, idempotently: a fully loaded list counts its rows, as the same push may
 * arrive twice.
 */
export function applied(loaded: CachedList, push: TicketPush, viewer: Viewer, list: Searched): CachedList {
  if (list.search) return { ...loaded, ...inSearch(loaded, push, viewer, list) }
  const next = isNarrowed(list)
    ? inNarrowed(loaded, push, viewer, list)
    : applyPush(loaded, push, viewer, list)
  return { ...loaded, ...next, ...(!next.hasMore && { count: next.tickets.length }) }
}

/** A list that shows some of its tickets: it is loaded whole. */
export const isNarrowed = ({ unread, failed, bot, following, target }: Searched) =>
  unread === true || failed === true || following === true || bot !== undefined || target !== undefined

/**
 * A ticket that is read, was sent again, or changes between a bot and people, leaves; such a list is loaded whole, so its rows are its count.
 */
function inNarrowed(loaded: CachedList, push: TicketPush, viewer: Viewer, list: Searched): LoadedTickets {
  const next = applyPush(loaded, push, viewer, list)
  const tickets = next.tickets.filter(ticket => isAmong(list, ticket, Date.now()))
  return { ...next, tickets, count: tickets.length }
}

/**
 * Whether a ticket matches a search only the server knows: rows are updated, none are added or removed but
 * deleted ones, and from the board those that are closed or lose a requested tag. Filters by tag alone are
 * decided by the ticket itself.
 */
function inSearch(loaded: CachedList, push: TicketPush, viewer: Viewer, list: Searched): CachedList {
  if (push.action === 'updateUnread')
    return { ...loaded, tickets: loaded.tickets.map(ticket => afterPush(ticket, push)) }
  if (list.board && push.action === 'update') {
    if (!belongsInList(viewer, list, push.ticket) || !isTagged(push.ticket, list))
      return { ...loaded, tickets: loaded.tickets.filter(ticket => ticket.id !== push.ticket.id) }
    if (isByTags(list)) return { ...loaded, tickets: applyPush(loaded, push, viewer, list).tickets }
  }
  if (push.action === 'delete')
    return { ...loaded, tickets: loaded.tickets.filter(ticket => ticket.id !== push.ticketId) }
  return { ...loaded, tickets: loaded.tickets.map(ticket => afterPush(ticket, push)) }
}

/** Whether a ticket has one of the tags of the filter. */
const isTagged = ({ tags }: Ticket, { narrowing }: Searched) =>
  !narrowing?.tags || tags.some(({ id }) => narrowing.tags!.includes(id))

/** Nothing narrows it but tags. */
const isByTags = ({ searchParam, narrowing = {} }: Searched) =>
  !searchParam && Object.keys(narrowing).every(name => name === 'tags')
