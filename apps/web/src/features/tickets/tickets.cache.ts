import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import {
  applyPush,
  belongsInList,
  type LoadedTickets,
  type TicketList,
} from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketHit, TicketPush } from '@balcao/contract/tickets.ts'
import { recentPushes } from '../../platform/catch-up.ts'
import type { Narrowing } from './asked.ts'

/** A list as the cache holds it: how many pages of it were fetched. */
export interface CachedList extends LoadedTickets {
  pages: number
  /** Where words were looked for: what was found in the conversations. */
  hits?: TicketHit[] | undefined
}

export interface Searched extends TicketList {
  searchParam?: string
  /** What the filters of a search add. */
  narrowing?: Narrowing
  /** Only those with messages that nobody has read. */
  unread?: true
}

export const ticketPushes = recentPushes<TicketPush>()

/** What was fetched since `moment`, with the news that arrived meanwhile and is newer than what the answer held. */
export function caughtUp(loaded: CachedList, moment: number, viewer: Viewer, list: Searched): CachedList {
  const newer = (push: TicketPush) => {
    const { id, version } =
      push.action === 'update' ? push.ticket : { id: push.ticketId, version: Number.POSITIVE_INFINITY }
    const held = loaded.tickets.find(ticket => ticket.id === id)
    return !held || held.version < version
  }
  return ticketPushes
    .since(moment)
    .filter(newer)
    .reduce((made, push) => applied(made, push, viewer, list), loaded)
}

/** One push on one list. */
export const applied = (
  loaded: CachedList,
  push: TicketPush,
  viewer: Viewer,
  list: Searched,
): CachedList => ({
  ...loaded,
  ...(list.search
    ? inSearch(loaded, push, viewer, list)
    : list.unread
      ? inUnread(loaded, push, viewer, list)
      : applyPush(loaded, push, viewer, list)),
})

/** What is read leaves; such a list is loaded whole, so its rows are its count. */
function inUnread(loaded: CachedList, push: TicketPush, viewer: Viewer, list: Searched): LoadedTickets {
  const next = applyPush(loaded, push, viewer, list)
  const tickets = next.tickets.filter(ticket => ticket.unreadMessages > 0)
  return { ...next, tickets, count: tickets.length }
}

/**
 * Whether a ticket matches a search only the server knows: rows follow, none come or go but deleted ones, and from the
 * board those that are closed or lose the tag that was asked for. What only tags narrow a ticket tells by itself.
 */
function inSearch(loaded: CachedList, push: TicketPush, viewer: Viewer, list: Searched): CachedList {
  if (push.action === 'updateUnread') return loaded
  if (list.board && push.action === 'update') {
    if (!belongsInList(viewer, list, push.ticket) || !isTagged(push.ticket, list))
      return { ...loaded, tickets: loaded.tickets.filter(ticket => ticket.id !== push.ticket.id) }
    if (isByTags(list)) return { ...loaded, tickets: applyPush(loaded, push, viewer, list).tickets }
  }
  if (push.action === 'delete')
    return { ...loaded, tickets: loaded.tickets.filter(ticket => ticket.id !== push.ticketId) }
  return {
    ...loaded,
    tickets: loaded.tickets.map(ticket => (ticket.id === push.ticket.id ? push.ticket : ticket)),
  }
}

/** Whether a ticket has one of the tags that a list is narrowed to. */
const isTagged = ({ tags }: Ticket, { narrowing }: Searched) =>
  !narrowing?.tags || tags.some(({ id }) => narrowing.tags!.includes(id))

/** Nothing narrows it but tags. */
const isByTags = ({ searchParam, narrowing = {} }: Searched) =>
  !searchParam && Object.keys(narrowing).every(name => name === 'tags')
