import type { ReportTargets } from '@balcao/contract/reports.ts'
import { eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { reportTargets } from './reports.table.ts'

/** The targets of the company; null for each that is not set. */
export async function targetsOf(tx: Tx): Promise<ReportTargets> {
  const [row] = await tx.sql
    .select({
      waitMinutes: reportTargets.waitMinutes,
      serveMinutes: reportTargets.serveMinutes,
      closedPerDay: reportTargets.closedPerDay,
    })
    .from(reportTargets)
    .where(eq(reportTargets.companyId, tx.companyId))
  return row ?? { waitMinutes: null, serveMinutes: null, closedPerDay: null }
}

export const writeTargets = (tx: Tx, targets: ReportTargets) =>
  tx.sql
    .insert(reportTargets)
    .values({ companyId: tx.companyId, ...targets })
    .onConflictDoUpdate({ target: reportTargets.companyId, set: targets })
