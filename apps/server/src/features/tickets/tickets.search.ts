import { BOARD_PAGE, type BoardInput } from '@balcao/contract/kanban.ts'
import { COUNTED_AT_MOST, LONG_PAGE } from '@balcao/contract/kit.ts'
import { byWaiting, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { TicketListInput, TicketSort, TicketStatus } from '@balcao/contract/tickets.ts'
import { given, preparedFor } from '../../platform/db.prepared.ts'
import { allEnded, type Sql } from '../../platform/db.ts'
import { pageKeys } from '../../platform/pages.ts'
import { Written } from '../../platform/routes.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  lte,
  ne,
  type SQL,
  sql as tag,
} from '../../platform/sql.ts'
import { endOf, startOf } from '../companies/companies.queries.ts'
import { inCategories } from '../contacts/contacts.categories.ts'
import { count, countUpTo, kept } from './tickets.counts.ts'
import { behind, orders, type Position, position, waits } from './tickets.order.ts'
import {
  inSight,
  type Placed,
  places,
  type Sight,
  type SightValues,
  sightOf,
  sightValues,
} from './tickets.sight.ts'
import { tickets, ticketTags } from './tickets.table.ts'
import { hitsIn, seek } from './tickets.words.ts'
import { namesMark, rowMark, rowVersion, writeTickets } from './tickets.written.ts'

/** Positions of pages already served: the next page starts there instead of skipping rows. */
const keys = pageKeys<Position>()

/**
 * Tickets that the caller may see, newest activity first, 40 a page, as the text of an answer. What the query asks is
 * only ever intersected with that. `count` is exact for the living lists and capped at 1,000 for searches.
 */
export const writeList = (scope: Scope, input: TicketListInput) =>
  scope[isPlain(input) ? 'page' : 'list'](tx => write(tx, input, find(tx, input, listOf(input))))

/**
 * The living tickets of the caller's sight, who waits longest first, as the text of an answer. Pages are long, since the
 * board shows all of them; `count` is capped at 10,000.
 */
export const writeBoard = (scope: Scope, input: BoardInput) =>
  scope.list(tx => {
    const { showAll, queueIds } = input
    const board: TicketList = { status: null, showAll: showAll === true, queueIds, board: true }
    return write(tx, input, find(tx, input, board))
  })

async function write(tx: Tx, input: TicketListInput, found: ReturnType<typeof find>) {
  const { rows, hasMore, count, names } = await found
  const shown = await writeTickets(tx, rows, names)
  const hits = input.searchParam
    ? `,"hits":${JSON.stringify(await hitsIn(tx, input.searchParam, idsOf(rows)))}`
    : ''
  return new Written(`{"tickets":[${shown.join()}],"hasMore":${hasMore},"count":${count}${hits}}`)
}

/** The lists of the screen, which everybody asks all day: nothing is sought, or narrowed by the search panel. */
const isPlain = (input: TicketListInput) =>
  Object.entries(input).every(([name, value]) => OF_PLAIN.has(name) || !value || isNone(value))

const OF_PLAIN = new Set(['tab', 'status', 'searchTicketStatus', 'showAll', 'queueIds', 'sort', 'pageNumber'])
const isNone = (value: unknown) => Array.isArray(value) && value.length === 0

const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

async function find(tx: Tx, input: TicketListInput, list: TicketList) {
  const viewer = viewerOf(tx)
  const size = list.board ? BOARD_PAGE : LONG_PAGE
  const [sight, values] = [sightOf(viewer, list), sightValues(tx.companyId, viewer, list)]
  const sought = input.searchParam ? await seek(tx, input.searchParam) : undefined
  const plain = isPlain(input) && !list.board
  const living = list.board ? ne(tickets.status, 'closed') : undefined
  const place = and(standing(sight, values), living, ...narrowed(tx, input))
  const filter = and(place, sought?.means)
  const order = byWaiting(list) ? 'waiting' : 'newest'
  const rowsFrom = (from?: Position) =>
    plain
      ? plainRows(tx.sql, { ...sight, order, onward: from !== undefined }, { ...values, ...from })
      : pageRows(tx.sql, tx.companyId, order, and(filter, from && behind[order](from)), size + 1)
  const name = `${viewer.id} ${list.board ? 'board' : ''} ${JSON.stringify({ ...input, pageNumber: 0 })}`
  const [names, total, page] = await allEnded([
    namesMark(tx),
    plain
      ? kept(tx, sight, values)
      : list.board
        ? countUpTo(tx, filter, COUNTED_AT_MOST)
        : count(tx, name, place, sought),
    pageOf({ name, page: input.pageNumber ?? 1, size }, rowsFrom, (rows, from) =>
      skip(tx, filter, order, rows, from),
    ),
  ])
  return { ...page, count: total, names }
}

async function pageOf(
  { name, page, size }: { name: string; page: number; size: number },
  rowsFrom: (from?: Position) => PromiseLike<Row[]>,
  skipOver: (rows: number, from?: Position) => Promise<Position | null>,
) {
  const skipTo = () => {
    const near = keys.nearest(name, page)
    return skipOver((page - (near?.page ?? 1)) * size, near?.key)
  }
  const from = page > 1 ? (keys.start(name, page) ?? (await skipTo())) : undefined
  const found = from === null ? [] : await rowsFrom(from)
  const rows = found.slice(0, size)
  const last = rows.at(-1)
  if (from) keys.remember(name, page, from)
  if (last) keys.remember(name, page + 1, last)
  return { rows, hasMore: found.length > size }
}

/** Written into the text: of an unknown limit the planner expects a tenth of the table, and plans every time anew. */
const limitOf = (rows: number) => tag.raw(String(rows)) as unknown as number

type Row = Position & { mark: string }

/** Only the order and the marks are asked of the list; what belongs to the tickets is asked where it changed. */
function pageRows(
  sql: Sql,
  companyId: unknown,
  order: TicketSort,
  filter: SQL | undefined,
  most = LONG_PAGE + 1,
) {
  const page = sql
    .select({ ...position, contactId: tickets.contactId, version: rowVersion })
    .from(tickets)
    .where(filter)
    .orderBy(...orders[order])
    .limit(limitOf(most))
    .as('page')
  return sql
    .select({
      id: page.id,
      updatedAt: page.updatedAt,
      waits: tag<string>`${page.waits}::text`,
      mark: rowMark(companyId, { contactId: tag`page.contact_id`, version: tag`page.version` }),
    })
    .from(page)
    .orderBy(
      ...(order === 'waiting'
        ? [asc(page.waits), asc(page.updatedAt), asc(page.id)]
        : [desc(page.updatedAt), desc(page.id)]),
    )
}

/** The lists of the screen, nothing sought or narrowed. */
const plainRows = preparedFor(
  (sql, { order, onward, ...sight }: Sight & { order: TicketSort; onward: boolean }) =>
    pageRows(
      sql,
      places.companyId,
      order,
      and(
        standing(sight, places),
        onward
          ? behind[order]({ updatedAt: given('updatedAt'), waits: given('waits'), id: given('id') })
          : undefined,
      ),
    ),
)

/** So many tickets of a range are answered at once: more would keep everybody else waiting while they are written. */
const RANGE = 1_000

/** The newest tickets of a range, for reports and bulk resolve. */
export const queryTickets = (
  scope: Scope,
  input: {
    initialDate?: string
    finalDate?: string
    selectedQueueIds?: number[]
    selectedUserIds?: number[]
    living?: boolean
  },
): Promise<Written> =>
  scope.list(async tx => {
    const { initialDate, finalDate, selectedQueueIds, selectedUserIds, living } = input
    const viewer = viewerOf(scope)
    const names = await namesMark(tx)
    const found = await pageRows(
      tx.sql,
      tx.companyId,
      'newest',
      and(
        eq(tickets.companyId, tx.companyId),
        inSight(sightOf(viewer, ALL), sightValues(tx.companyId, viewer, ALL), ofTicket),
        ...createdIn(tx, initialDate, finalDate),
        selectedQueueIds?.length ? inArray(tickets.queueId, selectedQueueIds) : undefined,
        selectedUserIds?.length ? inArray(tickets.userId, selectedUserIds) : undefined,
        living ? ne(tickets.status, 'closed') : undefined,
      ),
      RANGE + 1,
    )
    const shown = (await writeTickets(tx, found.slice(0, RANGE), names)).join()
    const hasMore = found.length > RANGE
    return new Written(`{"tickets":[${shown}],"reportData":{"tickets":[${shown}]},"hasMore":${hasMore}}`)
  })

const ALL: TicketList = { status: null, showAll: true }

const ofTicket: Placed = { queueId: tag`${tickets.queueId}`, userId: tag`${tickets.userId}` }

function listOf({ tab, status, searchTicketStatus, showAll, queueIds, sort }: TicketListInput): TicketList {
  const search = tab === 'search'
  const sought = searchTicketStatus && searchTicketStatus !== 'all' ? searchTicketStatus : null
  const living = status || (tab === 'closed' ? 'closed' : tab === 'open' ? 'open' : null)
  return { status: search ? sought : living, showAll: showAll === true, queueIds, search, sort }
}

/** Written into the text, not sent as a value: the planner then sees which index fits. */
const statusIs = (status: TicketStatus | null) =>
  status ? tag`${tickets.status} = ${tag.raw(`'${status}'`)}` : undefined

const standing = (sight: Sight, values: SightValues) =>
  and(
    tag`${tickets.companyId} = ${values.companyId}`,
    statusIs(sight.status),
    inSight(sight, values, ofTicket),
  )

/** What the search panel adds. */
function narrowed(tx: Tx, wanted: TicketListInput): (SQL | undefined)[] {
  const {
    date,
    withUnreadMessages,
    tags,
    contactCategories,
    searchContactId,
    searchUserId,
    searchInitialDate,
    searchFinalDate,
  } = wanted
  return [
    ...createdIn(tx, date, date),
    withUnreadMessages ? gt(tickets.unreadMessages, 0) : undefined,
    tags?.length ? exists(tagged(tx, tags)) : undefined,
    contactCategories?.length ? inArray(tickets.contactId, inCategories(tx, contactCategories)) : undefined,
    searchContactId ? eq(tickets.contactId, searchContactId) : undefined,
    searchUserId ? eq(tickets.userId, searchUserId) : undefined,
    ...createdIn(tx, searchInitialDate, searchFinalDate),
  ]
}

/** From the beginning of one day, or moment, to the end of another; either may be left open. */
const createdIn = (tx: Tx, from?: string, until?: string) => [
  from ? gte(tickets.createdAt, startOf(tx, from)) : undefined,
  until ? lte(tickets.createdAt, endOf(tx, until)) : undefined,
]

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

/** The last of so many rows of a list, or of those behind one; null when it ends earlier. Only the index is read. */
async function skip(
  tx: Tx,
  filter: SQL | undefined,
  order: TicketSort,
  rows: number,
  from: Position | undefined,
) {
  const [row] = await tx.sql
    .select({ ...position, waits: tag<string>`${waits}::text` })
    .from(tickets)
    .where(and(filter, from && behind[order](from)))
    .orderBy(...orders[order])
    .offset(rows - 1)
    .limit(1)
  return row ?? null
}
