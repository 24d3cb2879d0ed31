import type { Figures } from '@balcao/contract/reports.rules.ts'
import type { ReportDay } from '@balcao/contract/reports.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, gte, inArray, lt, lte, rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { ticketCounts, ticketTags } from '../tickets/tickets.table.ts'
import type { ReportRange } from './reports.range.ts'
import { ticketServices as served } from './reports.table.ts'

export interface Place {
  userId: number
  queueId: number
  whatsappId: number
}

const count = (what: SQL) => tag<number>`count(${what})`.mapWith(Number)
const sum = (what: SQL) => tag<number>`coalesce(sum(${what}), 0)`.mapWith(Number)

const figures = {
  closed: count(tag`*`),
  served: count(tag`${served.serveSeconds}`),
  serveSeconds: sum(tag`${served.serveSeconds}`),
  waited: count(tag`${served.waitSeconds}`),
  waitSeconds: sum(tag`${served.waitSeconds}`),
}

/** One pass over the range: users, queues and connections are sums of these few rows. */
export const byPlace = (tx: Tx, range: ReportRange): Promise<(Place & Figures)[]> =>
  tx.sql
    .select({ userId: served.userId, queueId: served.queueId, whatsappId: served.whatsappId, ...figures })
    .from(served)
    .where(and(within(tx, range), lte(served.closedAt, range.until)))
    .groupBy(served.userId, served.queueId, served.whatsappId)

/** Of the same length of time right before. */
export async function ofBefore(tx: Tx, { before, from, ...chosen }: ReportRange): Promise<Figures> {
  const [row] = await tx.sql
    .select(figures)
    .from(served)
    .where(and(within(tx, { ...chosen, from: before }), lt(served.closedAt, from)))
  return row!
}

export const byTag = (tx: Tx, range: ReportRange): Promise<({ tagId: number } & Figures)[]> =>
  tx.sql
    .select({ tagId: ticketTags.tagId, ...figures })
    .from(served)
    .innerJoin(
      ticketTags,
      and(eq(ticketTags.companyId, served.companyId), eq(ticketTags.ticketId, served.ticketId)),
    )
    .where(and(within(tx, range), lte(served.closedAt, range.until)))
    .groupBy(ticketTags.tagId)

/** Every day of the company's clock, by its own beginning and end: where clocks are changed a day has 23 or 25 hours. */
export const byDay = async (tx: Tx, range: ReportRange): Promise<ReportDay[]> => {
  const zone = zoneOf(tx)
  const ofDay = tx.sql
    .select(figures)
    .from(served)
    .where(
      and(
        within(tx, range),
        lte(served.closedAt, range.until),
        tag`${served.closedAt} >= d.day at time zone ${zone}`,
        tag`${served.closedAt} < (d.day + interval '1 day') at time zone ${zone}`,
      ),
    )
  const rows = await rowsFrom<{ to_char: string } & Record<keyof Figures, unknown>>(
    tx.sql,
    tag`
    select to_char(d.day, 'YYYY-MM-DD'), s.* from generate_series(
      date_trunc('day', ${range.from}::timestamptz at time zone ${zone}),
      ${range.until}::timestamptz at time zone ${zone}, interval '1 day') as d (day)
    cross join lateral (${ofDay}) as s (closed, served, "serveSeconds", waited, "waitSeconds") order by d.day`,
  )
  return rows.map(({ to_char: day, ...row }) => ({
    day,
    closed: Number(row.closed),
    served: Number(row.served),
    serveSeconds: Number(row.serveSeconds),
    waited: Number(row.waited),
    waitSeconds: Number(row.waitSeconds),
  }))
}

const LAST = 1_000

/** The tickets that were closed last. */
export const lastClosed = (tx: Tx, range: ReportRange): Promise<{ id: number }[]> =>
  tx.sql
    .select({ id: served.ticketId })
    .from(served)
    .where(and(within(tx, range), lte(served.closedAt, range.until)))
    .orderBy(desc(served.closedAt), desc(served.historyId))
    .limit(LAST)

/** What waits and what is attended now, from the counters that every move keeps. */
export const standingTickets = (tx: Tx, { queueIds, userIds }: ReportRange) =>
  tx.sql
    .select({
      status: ticketCounts.status,
      queueId: ticketCounts.queueId,
      userId: ticketCounts.userId,
      tickets: sum(tag`${ticketCounts.tickets}`),
    })
    .from(ticketCounts)
    .where(
      and(
        eq(ticketCounts.companyId, tx.companyId),
        inArray(ticketCounts.status, ['pending', 'open']),
        queueIds.length > 0 ? inArray(ticketCounts.queueId, queueIds) : undefined,
        userIds.length > 0 ? inArray(ticketCounts.userId, userIds) : undefined,
      ),
    )
    .groupBy(ticketCounts.status, ticketCounts.queueId, ticketCounts.userId)

const within = (tx: Tx, { from, queueIds, userIds }: Pick<ReportRange, 'from' | 'queueIds' | 'userIds'>) =>
  and(
    eq(served.companyId, tx.companyId),
    gte(served.closedAt, from),
    queueIds.length > 0 ? inArray(served.queueId, queueIds) : undefined,
    userIds.length > 0 ? inArray(served.userId, userIds) : undefined,
  )
