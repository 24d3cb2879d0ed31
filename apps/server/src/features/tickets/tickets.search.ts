import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { everyones, ownOnly, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketListInput, TicketStatus } from '@balcao/contract/tickets.ts'
import {
  and,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  notInArray,
  or,
  type SQL,
  sql as tag,
} from 'drizzle-orm'
import { pageKeys } from '../../platform/pages.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { loadTickets, selectTickets, toTicket } from './tickets.queries.ts'
import { ticketCounts, tickets, ticketTags } from './tickets.table.ts'
import { type Sought, seek } from './tickets.words.ts'

/** Counting further than this would cost more than anybody reads. */
const COUNT_LIMIT = 1_000

/** Positions of pages already served: the next page starts there instead of skipping rows. */
const keys = pageKeys<{ updatedAt: string; id: number }>()

/**
 * Tickets that the caller may see, newest activity first, 40 a page. What the query asks is only ever
 * intersected with that. `count` is exact for the living lists and capped at 1,000 for searches.
 */
export const listTickets = (scope: Scope, input: TicketListInput) =>
  scope.transaction(async tx => {
    const viewer = viewerOf(scope)
    const list = listOf(input)
    const sought = input.searchParam ? await seek(tx, input.searchParam) : undefined
    const narrowing = narrowed(tx, input).filter(clause => clause !== undefined)
    const place = and(
      eq(tickets.companyId, tx.companyId),
      statusIs(list.status),
      inSight(viewer, list, ofTicket),
      ...narrowing,
    )
    const filter = and(place, sought?.means)
    const page = input.pageNumber ?? 1
    const name = `${viewer.id} ${JSON.stringify({ ...input, pageNumber: 0 })}`
    const from = page > 1 ? (keys.start(name, page) ?? (await skip(tx, filter, page))) : undefined
    const ids = from === null ? [] : await idsOfPage(tx, and(filter, from && before(from)))
    const shown = await loadTickets(
      tx,
      ids.slice(0, LONG_PAGE).map(({ id }) => id),
    )
    const last = shown.at(-1)
    if (from) keys.remember(name, page, from)
    if (last) keys.remember(name, page + 1, last)
    return {
      tickets: shown,
      hasMore: ids.length > LONG_PAGE,
      count: sought || narrowing.length > 0 ? await count(tx, place, sought) : await kept(tx, viewer, list),
    }
  })

/** Only the order is asked of the list; what belongs to the tickets is asked for those that are shown. */
const idsOfPage = (tx: Tx, filter: SQL | undefined) =>
  tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(filter)
    .orderBy(desc(tickets.updatedAt), desc(tickets.id))
    .limit(LONG_PAGE + 1)

/** All tickets of a range, for reports and bulk resolve, at most 10,000. */
export const queryTickets = (
  scope: Scope,
  input: {
    initialDate?: string
    finalDate?: string
    selectedQueueIds?: number[]
    selectedUserIds?: number[]
  },
): Promise<Ticket[]> =>
  scope.transaction(async tx => {
    const { initialDate, finalDate, selectedQueueIds, selectedUserIds } = input
    const rows = await selectTickets(tx.sql)
      .where(
        and(
          eq(tickets.companyId, tx.companyId),
          inSight(viewerOf(scope), { status: null, showAll: true }, ofTicket),
          initialDate ? gte(tickets.createdAt, start(initialDate)) : undefined,
          finalDate ? lte(tickets.createdAt, end(finalDate)) : undefined,
          selectedQueueIds?.length ? inArray(tickets.queueId, selectedQueueIds) : undefined,
          selectedUserIds?.length ? inArray(tickets.userId, selectedUserIds) : undefined,
        ),
      )
      .orderBy(desc(tickets.updatedAt), desc(tickets.id))
      .limit(10_000)
    return rows.map(toTicket)
  })

/** Where a ticket stands, as columns of whatever holds it. */
type Placed = { queueId: SQL; userId: SQL }

const ofTicket: Placed = { queueId: tag`${tickets.queueId}`, userId: tag`${tickets.userId}` }

const before = ({ updatedAt, id }: { updatedAt: string; id: number }) =>
  tag`(${tickets.updatedAt}, ${tickets.id}) < (${updatedAt}::timestamptz, ${id})`

function listOf({ tab, status, searchTicketStatus, showAll, queueIds }: TicketListInput): TicketList {
  const search = tab === 'search'
  const sought = searchTicketStatus && searchTicketStatus !== 'all' ? searchTicketStatus : null
  const living = status || (tab === 'closed' ? 'closed' : tab === 'open' ? 'open' : null)
  return { status: search ? sought : living, showAll: showAll === true, queueIds, search }
}

/** Written into the text, not sent as a value: the planner then sees which index fits. */
const statusIs = (status: TicketStatus | null) =>
  status ? tag`${tickets.status} = ${tag.raw(`'${status}'`)}` : undefined

/** tickets.rules `belongsInList`, as SQL over the tickets or their counters. */
function inSight(viewer: Viewer, list: TicketList, of: Placed): SQL | undefined {
  const admin = may(viewer, 'tickets:showAll')
  const own = eq(of.userId, viewer.id)
  const mineOnly = ownOnly(viewer, list) ? own : undefined
  const queueless = viewer.authorization.allowNoQueue === 1 ? isNull(of.queueId) : undefined
  if (everyones(viewer, list) && !list.queueIds)
    return and(mineOnly, queueless ? undefined : isNotNull(of.queueId))
  const chosen = list.queueIds?.filter(id => admin || viewer.queueIds.includes(id)) ?? viewer.queueIds
  const inChosen = chosen.length > 0 ? inArray(of.queueId, chosen) : undefined
  const foreign = viewer.queueIds.length > 0 ? notInArray(of.queueId, viewer.queueIds) : isNotNull(of.queueId)
  return and(mineOnly, or(inChosen, queueless, and(own, foreign)))
}

/** What the search panel adds. */
function narrowed(tx: Tx, wanted: TicketListInput): (SQL | undefined)[] {
  const {
    date,
    withUnreadMessages,
    tags,
    searchContactId,
    searchUserId,
    searchInitialDate,
    searchFinalDate,
  } = wanted
  return [
    date ? and(gte(tickets.createdAt, start(date)), lte(tickets.createdAt, end(date))) : undefined,
    withUnreadMessages ? gt(tickets.unreadMessages, 0) : undefined,
    tags?.length ? exists(tagged(tx, tags)) : undefined,
    searchContactId ? eq(tickets.contactId, searchContactId) : undefined,
    searchUserId ? eq(tickets.userId, searchUserId) : undefined,
    searchInitialDate ? gte(tickets.createdAt, start(searchInitialDate)) : undefined,
    searchFinalDate ? lte(tickets.createdAt, end(searchFinalDate)) : undefined,
  ]
}

const tagged = (tx: Tx, tagIds: number[]) =>
  tx.sql
    .select({ one: tag`1` })
    .from(ticketTags)
    .where(
      and(
        eq(ticketTags.companyId, tickets.companyId),
        eq(ticketTags.ticketId, tickets.id),
        inArray(ticketTags.tagId, tagIds),
      ),
    )

/** The last row before a page that nobody led to; null when the list ends earlier. Only the index is read. */
async function skip(tx: Tx, filter: SQL | undefined, page: number) {
  const [row] = await tx.sql
    .select({ updatedAt: tickets.updatedAt, id: tickets.id })
    .from(tickets)
    .where(filter)
    .orderBy(desc(tickets.updatedAt), desc(tickets.id))
    .offset((page - 1) * LONG_PAGE - 1)
    .limit(1)
  return row ?? null
}

/** Counts no further than the limit; where some of the finds reach it, the others need not be looked for. */
async function count(tx: Tx, place: SQL | undefined, sought?: Sought) {
  const some = await countUpTo(tx, and(place, sought?.some))
  return !sought || sought.complete || some === COUNT_LIMIT ? some : countUpTo(tx, and(place, sought.means))
}

async function countUpTo(tx: Tx, filter: SQL | undefined): Promise<number> {
  const some = tx.sql
    .select({ one: tag`1`.as('one') })
    .from(tickets)
    .where(filter)
    .limit(COUNT_LIMIT)
    .as('some')
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(some)
  return row?.count ?? 0
}

/** Counters kept with every move answer for the plain lists. */
async function kept(tx: Tx, viewer: Viewer, list: TicketList): Promise<number> {
  const counts = {
    queueId: tag`nullif(${ticketCounts.queueId}, 0)`,
    userId: tag`nullif(${ticketCounts.userId}, 0)`,
  }
  const [row] = await tx.sql
    .select({ count: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)::int` })
    .from(ticketCounts)
    .where(
      and(
        eq(ticketCounts.companyId, tx.companyId),
        list.status ? eq(ticketCounts.status, list.status) : undefined,
        inSight(viewer, list, counts),
      ),
    )
  return row?.count ?? 0
}

const start = (moment: string) => (moment.length === 10 ? `${moment}T00:00:00-03:00` : moment)
const end = (moment: string) => (moment.length === 10 ? `${moment}T23:59:59.999-03:00` : moment)
