import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { everyones, ownOnly, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { Ticket, TicketListInput, TicketStatus } from '@balcao/contract/tickets.ts'
import { pageKeys } from '../../platform/pages.ts'
import { Written } from '../../platform/routes.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
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
} from '../../platform/sql.ts'
import { loadTickets, selectTickets, toTicket } from './tickets.queries.ts'
import { ticketCounts, tickets, ticketTags } from './tickets.table.ts'
import { type Sought, seek } from './tickets.words.ts'
import { namesMark, rowMark, writeTickets } from './tickets.written.ts'

/** Counting further than this would cost more than anybody reads. */
const COUNT_LIMIT = 1_000

/** Positions of pages already served: the next page starts there instead of skipping rows. */
const keys = pageKeys<{ updatedAt: string; id: number }>()

/**
 * Tickets that the caller may see, newest activity first, 40 a page. What the query asks is only ever
 * intersected with that. `count` is exact for the living lists and capped at 1,000 for searches.
 */
export const listTickets = (scope: Scope, input: TicketListInput) =>
  scope.read(async tx => {
    const { rows, hasMore, count } = await find(tx, input)
    const shown = await loadTickets(
      tx,
      rows.map(({ id }) => id),
    )
    return { tickets: shown, hasMore, count }
  })

/** The same as the text of an answer. */
export const writeList = (scope: Scope, input: TicketListInput) =>
  scope.read(async tx => {
    const { rows, hasMore, count, names } = await find(tx, input)
    const shown = await writeTickets(tx, rows, names)
    return new Written(`{"tickets":[${shown.join()}],"hasMore":${hasMore},"count":${count}}`)
  })

async function find(tx: Tx, input: TicketListInput) {
  const viewer = viewerOf(tx)
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
  const name = `${viewer.id} ${JSON.stringify({ ...input, pageNumber: 0 })}`
  const [names, total, page] = await Promise.all([
    namesMark(tx),
    sought || narrowing.length > 0 ? count(tx, place, sought) : kept(tx, viewer, list),
    pageOf(tx, filter, name, input.pageNumber ?? 1),
  ])
  return { ...page, count: total, names }
}

async function pageOf(tx: Tx, filter: SQL | undefined, name: string, page: number) {
  const from = page > 1 ? (keys.start(name, page) ?? (await skip(tx, filter, page))) : undefined
  const found = from === null ? [] : await rowsOfPage(tx, and(filter, from && before(from)))
  const rows = found.slice(0, LONG_PAGE)
  const last = rows.at(-1)
  if (from) keys.remember(name, page, from)
  if (last) keys.remember(name, page + 1, last)
  return { rows, hasMore: found.length > LONG_PAGE }
}

/** Written into the text: of an unknown limit the planner expects a tenth of the table, and plans every time anew. */
const ONE_MORE = tag.raw(String(LONG_PAGE + 1)) as unknown as number

/** Only the order and the marks are asked of the list; what belongs to the tickets is asked where it changed. */
async function rowsOfPage(tx: Tx, filter: SQL | undefined) {
  const page = tx.sql
    .select({ id: tickets.id, updatedAt: tickets.updatedAt })
    .from(tickets)
    .where(filter)
    .orderBy(desc(tickets.updatedAt), desc(tickets.id))
    .limit(ONE_MORE)
    .as('page')
  return tx.sql
    .select({ id: page.id, updatedAt: page.updatedAt, mark: rowMark(tx.companyId, tag`page.id`) })
    .from(page)
    .orderBy(desc(page.updatedAt), desc(page.id))
}

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
  scope.read(async tx => {
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
