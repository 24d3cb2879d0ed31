import type { ReportReason } from '@balcao/contract/reports.ts'
import { and, desc, eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { closingReasons } from '../closingReasons/closingReasons.table.ts'
import { ticketHistory } from '../tickets/tickets.table.ts'
import { closedIn } from './reports.closings.queries.ts'
import type { ReportRange } from './reports.range.queries.ts'
import { ticketServices as served } from './reports.table.ts'

/** What was closed in a range by its reason, most first; a deleted reason keeps its name. */
export async function byReason(
  tx: Tx,
  range: ReportRange,
): Promise<{ reasons: ReportReason[]; closed: number }> {
  const rows = await tx.sql
    .select({
      id: tag<number>`coalesce(${ticketHistory.reasonId}, 0)`,
      name: tag<string>`coalesce(min(${closingReasons.name}), '')`,
      closed: tag<number>`count(*)::int`,
      seconds: tag<
        number | null
      >`round(avg(extract(epoch from ${served.closedAt} - ${served.beganAt})))::int`,
    })
    .from(served)
    .innerJoin(
      ticketHistory,
      and(eq(ticketHistory.companyId, served.companyId), eq(ticketHistory.id, served.historyId)),
    )
    .leftJoin(
      closingReasons,
      and(
        eq(closingReasons.companyId, ticketHistory.companyId),
        eq(closingReasons.id, ticketHistory.reasonId),
      ),
    )
    .where(closedIn(tx, range))
    .groupBy(ticketHistory.reasonId)
    .orderBy(desc(tag`count(*)`), ticketHistory.reasonId)
  const closed = rows.reduce((sum, row) => sum + row.closed, 0)
  return { reasons: rows.map(row => ({ ...row, percent: Math.round((100 * row.closed) / closed) })), closed }
}
