import { addFigures, type Figures, NO_FIGURES } from '@balcao/contract/reports.rules.ts'
import type { ReportDay, ReportHour } from '@balcao/contract/reports.ts'
import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { and, desc, eq, inArray, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { ticketCounts } from '../tickets/tickets.table.ts'
import { closedIn } from './reports.closings.queries.ts'
import { daysIn, figureSums, isOfAll, summedUp } from './reports.days.queries.ts'
import type { ReportRange } from './reports.range.queries.ts'
import { ticketServices as served } from './reports.table.ts'

type Sums = Map<number, Figures>

/** By user, queue, connection, each of which adds up to the whole, and by every day of the range. */
export interface Sides {
  users: Sums
  queues: Sums
  connections: Sums
  days: ReportDay[]
}

/** From the summaries of days where the range is of everybody, else from their places. Both take one read. */
export const bySide = (tx: Tx, range: ReportRange): Promise<Sides> =>
  isOfAll(range) ? fromSummaries(tx, range) : fromPlaces(tx, range)

async function fromSummaries(tx: Tx, range: ReportRange): Promise<Sides> {
  const rows = await rowsFrom<{ day: string; side: keyof Sides | null; id: number } & Figures>(
    tx.sql,
    tag`${summedUp(tx, range)} select asked.day::text as day, 'days' as side, 0 as id, ${figureSums}
        from asked left join counted on counted.day = asked.day and counted.side = 'days' group by asked.day
      union all select null, side, id, ${figureSums} from counted where side <> 'days' group by side, id
      order by day`,
  )
  const sides: Sides = { users: new Map(), queues: new Map(), connections: new Map(), days: [] }
  for (const { day, side, id, ...figures } of rows)
    if (side === 'days') sides.days.push({ day, ...figures })
    else if (side !== null) sides[side].set(id, figures)
  return sides
}

type Place = { userId: number; queueId: number; whatsappId: number } & Figures

async function fromPlaces(tx: Tx, range: ReportRange): Promise<Sides> {
  const rows = await rowsFrom<Partial<Place> & { day: string | null } & Figures>(
    tx.sql,
    tag`${daysIn(tx, 'all', range)} select asked.day::text as day, user_id as "userId", queue_id as "queueId",
        whatsapp_id as "whatsappId", ${figureSums}
      from asked left join counted on counted.day = asked.day
      group by grouping sets ((asked.day), (user_id, queue_id, whatsapp_id)) order by asked.day`,
  )
  const days: ReportDay[] = []
  const places: Place[] = []
  for (const { day, userId, queueId, whatsappId, ...figures } of rows) {
    if (day !== null) days.push({ day, ...figures })
    // days on which nothing was closed have no place
    else if (userId != null && queueId != null && whatsappId != null)
      places.push({ userId, queueId, whatsappId, ...figures })
  }
  const sumsBy = (by: 'userId' | 'queueId' | 'whatsappId'): Sums => {
    const sums: Sums = new Map()
    for (const place of places) sums.set(place[by], addFigures(sums.get(place[by]) ?? NO_FIGURES, place))
    return sums
  }
  return { users: sumsBy('userId'), queues: sumsBy('queueId'), connections: sumsBy('whatsappId'), days }
}

/** Of the same length of time right before. */
export async function ofBefore(tx: Tx, range: ReportRange): Promise<Figures> {
  const until = new Date(Date.parse(range.from) - 1).toISOString()
  const before = { ...range, from: range.before, until }
  const [row] = await rowsFrom<Figures>(
    tx.sql,
    isOfAll(before)
      ? tag`${summedUp(tx, before)} select ${figureSums} from counted where side = 'days'`
      : tag`${daysIn(tx, 'all', before)} select ${figureSums} from counted`,
  )
  return row!
}

export const byTag = (tx: Tx, range: ReportRange): Promise<({ tagId: number } & Figures)[]> =>
  rowsFrom(
    tx.sql,
    tag`${daysIn(tx, 'tag', range)} select tag_id as "tagId", ${figureSums} from counted group by 1`,
  )

/** What each attendant had of the serving, whoever closed it. */
export const byPart = (tx: Tx, range: ReportRange): Promise<({ userId: number } & Figures)[]> =>
  rowsFrom(
    tx.sql,
    tag`${daysIn(tx, 'part', range)} select user_id as "userId", ${figureSums} from counted group by 1`,
  )

/** By the hour of the week in which the services began, by the company's clock; hours without any are not there. */
export async function byHour(tx: Tx, range: ReportRange): Promise<ReportHour[]> {
  const rows = await rowsFrom<{ hourOfWeek: number } & Figures>(
    tx.sql,
    tag`${daysIn(tx, 'hour', range)} select tag_id as "hourOfWeek", ${figureSums} from counted group by 1 order by 1`,
  )
  return rows.map(({ hourOfWeek, closed, waited, waitSeconds }) => ({
    ...{ weekday: Math.floor(hourOfWeek / 24) + 1, hour: hourOfWeek % 24 },
    ...{ closed, waited, waitSeconds },
  }))
}

const LAST = 1_000

/** The tickets that were closed last. */
export const lastClosed = (tx: Tx, range: ReportRange): Promise<{ id: number }[]> =>
  tx.sql
    .select({ id: served.ticketId })
    .from(served)
    .where(closedIn(tx, range))
    .orderBy(desc(served.closedAt), desc(served.historyId))
    .limit(LAST)

/** What is snoozed waits, or is attended, too. */
const currentStatus = tag<TicketStatus>`replace(${ticketCounts.status}, 'Snoozed', '')`

/** What waits and what is attended now, from the counters that every move keeps. */
export const currentTickets = (tx: Tx, { queueIds, userIds }: ReportRange) =>
  tx.sql
    .select({
      status: currentStatus,
      queueId: ticketCounts.queueId,
      userId: ticketCounts.userId,
      tickets: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)`.mapWith(Number),
    })
    .from(ticketCounts)
    .where(
      and(
        eq(ticketCounts.companyId, tx.companyId),
        inArray(ticketCounts.status, ['pending', 'open', 'pendingSnoozed', 'openSnoozed']),
        queueIds.length > 0 ? inArray(ticketCounts.queueId, queueIds) : undefined,
        userIds.length > 0 ? inArray(ticketCounts.userId, userIds) : undefined,
      ),
    )
    .groupBy(currentStatus, ticketCounts.queueId, ticketCounts.userId)
