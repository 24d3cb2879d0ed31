import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { TicketSort } from '@balcao/contract/tickets.ts'
import { pageKeysOf } from '../../../platform/lists/page-keys.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { and, asc, desc, literalLimit, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { tickets } from '../tickets.table.ts'
import { rowMark, rowVersion } from './written.queries.ts'

export interface Position {
  updatedAt: string
  /** What the list is ordered by before the activity, as PostgreSQL text; infinity where there is none. */
  waits: string
  id: number
}

/** Since when the contact waits, or when the next target is due. */
const waitsBy: Record<TicketSort, SQL<string>> = {
  newest: tag`coalesce(${tickets.waitingSince}, 'infinity'::timestamptz)`,
  waiting: tag`coalesce(${tickets.waitingSince}, 'infinity'::timestamptz)`,
  target: tag`coalesce(${tickets.targetDueAt}, 'infinity'::timestamptz)`,
}
const positionIn = (order: TicketSort) => ({
  id: tickets.id,
  updatedAt: tickets.updatedAt,
  waits: waitsBy[order].as('waits'),
})

const orders: Record<TicketSort, SQL[]> = {
  newest: [desc(tickets.updatedAt), desc(tickets.id)],
  waiting: [asc(waitsBy.waiting), asc(tickets.updatedAt), asc(tickets.id)],
  target: [asc(waitsBy.target), asc(tickets.updatedAt), asc(tickets.id)],
}

export const after: Record<TicketSort, (last: Record<keyof Position, unknown>) => SQL> = {
  newest: ({ updatedAt, id }) =>
    tag`(${tickets.updatedAt}, ${tickets.id}) < (${updatedAt}::timestamptz, ${id}::int)`,
  waiting: last => behind('waiting', last),
  target: last => behind('target', last),
}

const behind = (order: TicketSort, { waits, updatedAt, id }: Record<keyof Position, unknown>) =>
  tag`(${waitsBy[order]}, ${tickets.updatedAt}, ${tickets.id}) > (${waits}::timestamptz, ${updatedAt}::timestamptz, ${id}::int)`

/** Positions of pages already served: the next page starts there instead of skipping rows (keyset pagination). */
const keysOf = pageKeysOf<Position>()

export async function pageOf(
  tx: Tx,
  { name, page, size }: { name: string; page: number; size: number },
  rowsFrom: (from?: Position) => PromiseLike<Row[]>,
  skipOver: (rows: number, from?: Position) => Promise<Position | null>,
) {
  const keys = keysOf(tx)
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

export type Row = Position & { mark: string }

/** Rows have only position and mark: a ticket is loaded where its JSON is not cached. */
export function pageRows(
  sql: Sql,
  companyId: unknown,
  order: TicketSort,
  filter: SQL | undefined,
  most = LONG_PAGE + 1,
) {
  const page = sql
    .select({ ...positionIn(order), contactId: tickets.contactId, version: rowVersion })
    .from(tickets)
    .where(filter)
    .orderBy(...orders[order])
    .limit(literalLimit(most))
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
      ...(order === 'newest'
        ? [desc(page.updatedAt), desc(page.id)]
        : [asc(page.waits), asc(page.updatedAt), asc(page.id)]),
    )
}

/** The last of so many rows of a list, or of those after a position; null when it ends earlier. An index-only scan. */
export async function skip(
  tx: Tx,
  filter: SQL | undefined,
  order: TicketSort,
  rows: number,
  from: Position | undefined,
) {
  const [row] = await tx.sql
    .select({ ...positionIn(order), waits: tag<string>`${waitsBy[order]}::text` })
    .from(tickets)
    .where(and(filter, from && after[order](from)))
    .orderBy(...orders[order])
    .offset(rows - 1)
    .limit(1)
  return row ?? null
}
