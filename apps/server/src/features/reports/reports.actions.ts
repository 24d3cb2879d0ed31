import type { ReportTargets } from '@balcao/contract/reports.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { targetsOf, writeTargets } from './reports.targets.queries.ts'

/** Sets all targets of the company anew. */
export const changeTargets = (scope: Scope, targets: ReportTargets): Promise<ReportTargets> =>
  scope.transaction(async tx => {
    await writeTargets(tx, targets)
    tx.note('the targets of the reports were changed', { userId: viewerOf(scope).id })
    return targetsOf(tx)
  })
