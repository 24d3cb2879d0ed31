import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { belongsInList, everyones, ownOnly, type TicketList } from '@balcao/contract/tickets.rules.ts'
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
import { contacts } from '../contacts/contacts.table.ts'
import { selectTickets, toTicket } from './tickets.queries.ts'
import { ticketCounts, tickets, ticketTags } from './tickets.table.ts'

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
    const filter = and(
      eq(tickets.companyId, tx.companyId),
      statusIs(list.status),
      inSight(viewer, list),
      ...narrowed(tx, input),
    )
    const page = input.pageNumber ?? 1
    const place = `${viewer.id} ${JSON.stringify({ ...input, pageNumber: 0 })}`
    const from = page > 1 ? keys.start(place, page) : undefined
    const query = selectTickets(tx.sql)
      .where(and(filter, from && before(from)))
      .orderBy(desc(tickets.updatedAt), desc(tickets.id))
      .limit(LONG_PAGE + 1)
    const rows = (await (from || page === 1 ? query : query.offset((page - 1) * LONG_PAGE))).map(toTicket)
    const shown = rows.slice(0, LONG_PAGE)
    const last = shown.at(-1)
    if (last) keys.remember(place, page + 1, last)
    return {
      tickets: shown,
      hasMore: rows.length > LONG_PAGE,
      count: await count(tx, viewer, list, input, filter),
    }
  })

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
          inSight(viewerOf(scope), { status: null, showAll: true }),
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

/** tickets.rules `belongsInList`, as SQL. */
function inSight(viewer: Viewer, list: TicketList): SQL | undefined {
  const admin = may(viewer, 'tickets:showAll')
  const own = eq(tickets.userId, viewer.id)
  const mineOnly = ownOnly(viewer, list) ? own : undefined
  const queueless = viewer.authorization.allowNoQueue === 1 ? isNull(tickets.queueId) : undefined
  if (everyones(viewer, list) && !list.queueIds)
    return and(mineOnly, queueless ? undefined : isNotNull(tickets.queueId))
  const chosen = list.queueIds?.filter(id => admin || viewer.queueIds.includes(id)) ?? viewer.queueIds
  const inChosen = chosen.length > 0 ? inArray(tickets.queueId, chosen) : undefined
  const foreign =
    viewer.queueIds.length > 0 ? notInArray(tickets.queueId, viewer.queueIds) : isNotNull(tickets.queueId)
  return and(mineOnly, or(inChosen, queueless, and(own, foreign)))
}

/** What the search panel adds. */
function narrowed(tx: Tx, wanted: TicketListInput): (SQL | undefined)[] {
  const {
    searchParam,
    date,
    withUnreadMessages,
    tags,
    searchContactId,
    searchUserId,
    searchInitialDate,
    searchFinalDate,
  } = wanted
  return [
    searchParam ? matches(tx, searchParam) : undefined,
    date ? and(gte(tickets.createdAt, start(date)), lte(tickets.createdAt, end(date))) : undefined,
    withUnreadMessages ? gt(tickets.unreadMessages, 0) : undefined,
    tags?.length ? exists(tagged(tx, tags)) : undefined,
    searchContactId ? eq(tickets.contactId, searchContactId) : undefined,
    searchUserId ? eq(tickets.userId, searchUserId) : undefined,
    searchInitialDate ? gte(tickets.createdAt, start(searchInitialDate)) : undefined,
    searchFinalDate ? lte(tickets.createdAt, end(searchFinalDate)) : undefined,
  ]
}

/** By the contact's name or number, the protocol, or words of any message. */
function matches(tx: Tx, searchParam: string): SQL {
  const like = `%${searchParam.toLowerCase().replace(/[\\%_]/g, found => `\\${found}`)}%`
  const digits = searchParam.replace(/\D/g, '')
  const people = tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, tx.companyId),
        or(
          tag`lower(${contacts.name}) like ${like}`,
          digits.length >= 3 ? tag`${contacts.number} like ${`%${digits}%`}` : undefined,
        ),
      ),
    )
  const words = tag`select m.ticket_id from messages m where m.company_id = ${tx.companyId} and to_tsvector('simple', m.body) @@ plainto_tsquery('simple', ${searchParam})`
  return tag`(${tickets.contactId} in ${people} or ${tickets.protocol} = ${searchParam} or ${tickets.id} in (${words}))`
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

/** Kept counters answer for the plain lists; only a search has to count, and not for ever. */
async function count(
  tx: Tx,
  viewer: Viewer,
  list: TicketList,
  input: TicketListInput,
  filter: SQL | undefined,
) {
  if (narrowed(tx, input).every(clause => clause === undefined)) return kept(tx, viewer, list)
  const some = tx.sql
    .select({ one: tag`1`.as('one') })
    .from(tickets)
    .where(filter)
    .limit(COUNT_LIMIT)
    .as('some')
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(some)
  return row?.count ?? 0
}

async function kept(tx: Tx, viewer: Viewer, list: TicketList): Promise<number> {
  const places = await tx.sql.select().from(ticketCounts).where(eq(ticketCounts.companyId, tx.companyId))
  return places
    .map(place => ({ ...place, queueId: place.queueId || null, userId: place.userId || null }))
    .filter(place => belongsInList(viewer, list, place))
    .reduce((sum, place) => sum + place.tickets, 0)
}

const start = (moment: string) => (moment.length === 10 ? `${moment}T00:00:00-03:00` : moment)
const end = (moment: string) => (moment.length === 10 ? `${moment}T23:59:59.999-03:00` : moment)
