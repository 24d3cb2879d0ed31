import type { Figures } from '@balcao/contract/reports.rules.ts'
import type { ReportDay } from '@balcao/contract/reports.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, inArray, rowsFrom, sql as tag } from '../../platform/sql.ts'
import { ticketCounts } from '../tickets/tickets.table.ts'
import { closedIn } from './reports.closings.ts'
import { daysIn, sumsTold } from './reports.days.ts'
import type { ReportRange } from './reports.range.ts'
import { ticketServices as served } from './reports.table.ts'

export interface Place {
  userId: number
  queueId: number
  whatsappId: number
}

/**
 * By place, of which users, queues and connections are sums, and by every day of the range. Both are told of one reading
 * of what was closed.
 */
export async function byPlaceAndDay(
  tx: Tx,
  range: ReportRange,
): Promise<{ places: (Place & Figures)[]; days: ReportDay[] }> {
  const rows = await rowsFrom<Partial<Place> & { day: string | null } & Figures>(
    tx.sql,
    tag`${daysIn(tx, 'all', range)} select asked.day::text as day, user_id as "userId", queue_id as "queueId",
        whatsapp_id as "whatsappId", ${sumsTold}
      from asked left join told on told.day = asked.day
      group by grouping sets ((asked.day), (user_id, queue_id, whatsapp_id)) order by asked.day`,
  )
  const days: ReportDay[] = []
  const places: (Place & Figures)[] = []
  for (const { day, userId, queueId, whatsappId, ...figures } of rows) {
    if (day !== null) days.push({ day, ...figures })
    // days on which nothing was closed have no place
    else if (userId != null && queueId != null && whatsappId != null)
      places.push({ userId, queueId, whatsappId, ...figures })
  }
  return { places, days }
}

/** Of the same length of time right before. */
export async function ofBefore(tx: Tx, range: ReportRange): Promise<Figures> {
  const until = new Date(Date.parse(range.from) - 1).toISOString()
  const before = { ...range, from: range.before, until }
  const [row] = await rowsFrom<Figures>(
    tx.sql,
    tag`${daysIn(tx, 'all', before)} select ${sumsTold} from told`,
  )
  return row!
}

export const byTag = (tx: Tx, range: ReportRange): Promise<({ tagId: number } & Figures)[]> =>
  rowsFrom(
    tx.sql,
    tag`${daysIn(tx, 'tag', range)} select tag_id as "tagId", ${sumsTold} from told group by 1`,
  )

/** What each attendant had of the serving, whoever closed it. */
export const byPart = (tx: Tx, range: ReportRange): Promise<({ userId: number } & Figures)[]> =>
  rowsFrom(
    tx.sql,
    tag`${daysIn(tx, 'part', range)} select user_id as "userId", ${sumsTold} from told where user_id > 0 group by 1`,
  )

const LAST = 1_000

/** The tickets that were closed last. */
export const lastClosed = (tx: Tx, range: ReportRange): Promise<{ id: number }[]> =>
  tx.sql
    .select({ id: served.ticketId })
    .from(served)
    .where(closedIn(tx, range))
    .orderBy(desc(served.closedAt), desc(served.historyId))
    .limit(LAST)

/** What waits and what is attended now, from the counters that every move keeps. */
export const standingTickets = (tx: Tx, { queueIds, userIds }: ReportRange) =>
  tx.sql
    .select({
      status: ticketCounts.status,
      queueId: ticketCounts.queueId,
      userId: ticketCounts.userId,
      tickets: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)`.mapWith(Number),
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
