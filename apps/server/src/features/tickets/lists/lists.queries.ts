import { BOARD_PAGE, type BoardInput } from '@balcao/contract/kanban.ts'
import { COUNTED_AT_MOST, LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { SOON_LATE_MS } from '@balcao/contract/targets.soon.ts'
import { liftsPinned, listSort, type TicketList } from '@balcao/contract/tickets.rules.ts'
import type { TicketListInput, TicketSort, TicketStatus } from '@balcao/contract/tickets.ts'
import { Written } from '../../../platform/http/routes.ts'
import { allEnded } from '../../../platform/postgres/db.ts'
import { given, preparedFor } from '../../../platform/postgres/prepared.ts'
import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  type SQL,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { endOf, startOf } from '../../companies/companies.queries.ts'
import { inCategories } from '../../contacts/contacts.categories.queries.ts'
import { tickets, ticketTags } from '../tickets.table.ts'
import { count, countUpTo, keptCount } from './counts.queries.ts'
import { isMarked, type RowsBeside, shownBeside } from './marks.queries.ts'
import { after, type Position, pageOf, pageRows, type Row, skip } from './pages.queries.ts'
import { hitsIn, seek } from './search.queries.ts'
import {
  isVisible,
  listPlaceholders,
  ofTicket,
  type Visibility,
  type VisibilityValues,
  visibilityOf,
  visibilityValues,
} from './visibility.queries.ts'
import { writeTickets } from './written.queries.ts'

/**
 * JSON of the tickets that the caller may see, newest activity first, 40 a page; the input only narrows them. `count` is
 * exact for lists without a search, and capped at 1,000 with one.
 */
export const writeList = (scope: Scope, input: TicketListInput) =>
  (input.searchParam ? scope.behind() : scope)[isPlain(input) ? 'page' : 'list'](tx =>
    write(tx, input, find(tx, input, listOf(input))),
  )

/**
 * JSON of the visible tickets that are not closed, longest wait first. Pages are long, since the board shows all of them;
 * `count` is capped at 10,000.
 */
export const writeBoard = (scope: Scope, input: BoardInput) =>
  scope.list(tx => {
    const { showAll, queueIds } = input
    const board: TicketList = { status: null, showAll: showAll === true, queueIds, board: true }
    return write(tx, input, find(tx, input, board))
  })

async function write(tx: Tx, input: TicketListInput, found: ReturnType<typeof find>) {
  const { rows, hasMore, count, names, sought } = await found
  const shown = await writeTickets(tx, rows, names)
  const hits =
    input.searchParam && sought
      ? `,"hits":${JSON.stringify(await hitsIn(tx, input.searchParam, sought, idsOf(rows)))}`
      : ''
  const marks = names.isMarking ? `,"marks":${JSON.stringify(names.marks)}` : ''
  return new Written(`{"tickets":[${shown.join()}],"hasMore":${hasMore},"count":${count}${marks}${hits}}`)
}

/** The lists of the tabs, the most frequent query: no search, no filter of the search panel. */
const isPlain = (input: TicketListInput) =>
  Object.entries(input).every(([name, value]) => OF_PLAIN.has(name) || !value || isNone(value))

const OF_PLAIN = new Set('tab status searchTicketStatus showAll queueIds snoozed sort pageNumber'.split(' '))
const isNone = (value: unknown) => Array.isArray(value) && value.length === 0

const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

/** How many tickets of a list there are, up to so many. */
export function countList(tx: Tx, input: TicketListInput, most: number): Promise<number> {
  const list = listOf(input)
  const viewer = viewerOf(tx)
  const visibility = visibilityFor(viewer, list, input)
  const values = visibilityValues(tx.companyId, viewer, list)
  return countUpTo(tx, and(inList(visibility, values), ...narrowed(tx, input)), most)
}

/** A search finds what is snoozed, too; without words or a contact it is a list like any other. */
function visibilityFor(viewer: Viewer, list: TicketList, { searchParam, searchContactId }: TicketListInput) {
  const visibility = visibilityOf(viewer, list)
  const isSearch = Boolean(searchParam || searchContactId)
  return list.search && !list.snoozed && !isSearch
    ? { ...visibility, snoozed: 'without' as const }
    : visibility
}

async function find(tx: Tx, input: TicketListInput, list: TicketList) {
  const viewer = viewerOf(tx)
  const size = list.board ? BOARD_PAGE : LONG_PAGE
  const visibility = visibilityFor(viewer, list, input)
  const values = visibilityValues(tx.companyId, viewer, list)
  const sought = input.searchParam ? await seek(tx, input.searchParam) : undefined
  if (sought?.none) return { rows: [], hasMore: false, count: 0, names: await shownBeside(tx), sought }
  const plain = isPlain(input) && !list.board
  const living = list.board ? ne(tickets.status, 'closed') : undefined
  const listed = and(inList(visibility, values), living, ...narrowed(tx, input))
  const filter = and(listed, sought?.means)
  const order = listSort(list)
  const rowsFrom = (from?: Position) =>
    plain
      ? plainRows(tx.sql, { ...visibility, order, onward: from !== undefined }, { ...values, ...from })
      : pageRows(tx.sql, tx.companyId, order, and(filter, from && after[order](from)), size + 1)
  const name = `${viewer.id} ${list.board ? 'board' : ''} ${JSON.stringify({ ...input, pageNumber: 0 })}`
  const [names, total, page] = await allEnded([
    shownBeside(tx),
    plain && !visibility.limited
      ? keptCount(tx, visibility, values)
      : list.board || plain
        ? countUpTo(tx, filter, COUNTED_AT_MOST)
        : count(tx, name, listed, sought),
    pageOf(tx, { name, page: input.pageNumber ?? 1, size }, rowsFrom, (rows, from) =>
      skip(tx, filter, order, rows, from),
    ),
  ])
  const { rows } = page
  const lifted = liftsPinned(list) ? await pinnedRows(tx, order, filter, names) : []
  if (lifted.length > 0) page.rows = rows.filter(({ id }) => !names.marks.pinned.includes(id))
  if ((input.pageNumber ?? 1) === 1) page.rows = [...lifted, ...page.rows]
  return { ...page, count: total, names, sought }
}

/** What the viewer pinned stands before the first page, and is on no other. */
const pinnedRows = async (
  tx: Tx,
  order: TicketSort,
  filter: SQL | undefined,
  { marks: { pinned } }: RowsBeside,
): Promise<Row[]> =>
  pinned.length === 0
    ? []
    : pageRows(
        tx.sql,
        tx.companyId,
        order,
        and(filter, tag`${tickets.id} = any(${`{${pinned}}`}::int[])`),
        pinned.length,
      )

/** One prepared statement for each kind of plain list. */
const plainRows = preparedFor(
  (sql, { order, onward, ...visibility }: Visibility & { order: TicketSort; onward: boolean }) =>
    pageRows(
      sql,
      listPlaceholders.companyId,
      order,
      and(
        inList(visibility, listPlaceholders),
        onward
          ? after[order]({ updatedAt: given('updatedAt'), waits: given('waits'), id: given('id') })
          : undefined,
      ),
    ),
)

/** More tickets in one answer would block the event loop while they are serialised. */
const RANGE = 1_000

/** JSON of the newest visible tickets of a range, for reports and bulk resolve. */
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
    const names = await shownBeside(tx)
    const found = await pageRows(
      tx.sql,
      tx.companyId,
      'newest',
      and(
        eq(tickets.companyId, tx.companyId),
        isVisible(visibilityOf(viewer, ALL), visibilityValues(tx.companyId, viewer, ALL), ofTicket),
        ...createdIn(tx, initialDate, finalDate),
        selectedQueueIds?.length ? inArray(tickets.queueId, selectedQueueIds) : undefined,
        selectedUserIds?.length ? inArray(tickets.userId, selectedUserIds) : undefined,
        // who resolves what lives does not mean what is put aside
        living ? and(ne(tickets.status, 'closed'), isNull(tickets.snoozedUntil)) : undefined,
      ),
      RANGE + 1,
    )
    const shown = (await writeTickets(tx, found.slice(0, RANGE), names)).join()
    const hasMore = found.length > RANGE
    return new Written(`{"tickets":[${shown}],"reportData":{"tickets":[${shown}]},"hasMore":${hasMore}}`)
  })

const ALL: TicketList = { status: null, showAll: true }

function listOf(input: TicketListInput): TicketList {
  const { tab, status, searchTicketStatus, showAll, queueIds, sort, snoozed } = input
  const search = tab === 'search'
  const sought = searchTicketStatus && searchTicketStatus !== 'all' ? searchTicketStatus : null
  const living = status || (tab === 'closed' ? 'closed' : tab === 'open' ? 'open' : null)
  return {
    status: search ? sought : living,
    showAll: showAll === true,
    ...{ queueIds, search, sort },
    ...(snoozed && { snoozed }),
  }
}

/** A literal, not a parameter: the planner then chooses the index of the status. */
const statusIs = (status: TicketStatus | null) =>
  status ? tag`${tickets.status} = ${tag.raw(`'${status}'`)}` : undefined

const inList = (visibility: Visibility, values: VisibilityValues) =>
  and(
    tag`${tickets.companyId} = ${values.companyId}`,
    statusIs(visibility.status),
    isPutAside(visibility),
    isVisible(visibility, values, ofTicket),
  )

/** A closed one never is. */
const isPutAside = ({ status, snoozed }: Visibility) =>
  snoozed === 'any' || (snoozed === 'without' && status === 'closed')
    ? undefined
    : snoozed === 'only'
      ? isNotNull(tickets.snoozedUntil)
      : isNull(tickets.snoozedUntil)

function narrowed(tx: Tx, wanted: TicketListInput): (SQL | undefined)[] {
  const {
    date,
    withUnreadMessages,
    withFailedMessages,
    bot,
    following,
    news,
    target,
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
    // written into the text, as its index has it
    withFailedMessages ? tag`${tickets.failedMessages} > 0` : undefined,
    bot && (bot === 'only' ? tag`${tickets.withBot}` : tag`not ${tickets.withBot}`),
    following ? isMarked(tx, 'followed_at') : undefined,
    news ? isMarked(tx, 'news_at') : undefined,
    target && (target === 'late' ? isLate : isSoonLate),
    tags?.length ? exists(tagged(tx, tags)) : undefined,
    contactCategories?.length ? inArray(tickets.contactId, inCategories(tx, contactCategories)) : undefined,
    searchContactId ? eq(tickets.contactId, searchContactId) : undefined,
    searchUserId ? eq(tickets.userId, searchUserId) : undefined,
    ...createdIn(tx, searchInitialDate, searchFinalDate),
  ]
}

/** By the index of those that have a clock; what `isAmong` answers. */
const isLate = tag`${tickets.targetDueAt} is not null and ${tickets.targetDueAt} <= now()`
const isSoonLate = tag`${tickets.targetDueAt} is not null and ${tickets.targetDueAt} > now()
  and ${tickets.targetDueAt} <= now() + make_interval(secs => ${tag.raw(String(SOON_LATE_MS / 1_000))})`

/** From the start of a day, or an instant, to the end of another; either may be undefined. */
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
