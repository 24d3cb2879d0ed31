import { targets } from '@balcao/contract/targets.ts'
import { serve } from '../../platform/http/routes.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { rangeIn } from '../reports/reports.range.queries.ts'
import { changeQueueTargets, showTargets } from './targets.actions.ts'
import { exportTargets } from './targets.export.ts'
import { listMissed, targetParts } from './targets.report.queries.ts'

export const routes = [
  serve(targets.show, (scope, { params }) => showTargets(scope, params.queueId)),
  serve(targets.change, (scope, { params, body }) => changeQueueTargets(scope, params.queueId, body)),
  serve(targets.report, (scope, { query }) =>
    reading(scope, async tx => {
      const range = await rangeIn(tx, query)
      return { queues: await targetParts(tx, range, 'queue'), users: await targetParts(tx, range, 'user') }
    }),
  ),
  serve(targets.missed, (scope, { query }) =>
    reading(scope, async tx => listMissed(tx, await rangeIn(tx, query), query)),
  ),
  serve(
    targets.export,
    async (scope, { query: { what = 'parts', language = 'ptBR', ...asked } }, { platform }) =>
      exportTargets(
        scope,
        platform.files,
        { what, language },
        await reading(scope, tx => rangeIn(tx, asked)),
      ),
  ),
]

const reading = <Answer>(scope: Scope, work: (tx: Tx) => Promise<Answer>) =>
  scope.read(async tx => {
    await askPlan(tx, 'enableReports')
    return work(tx)
  })
