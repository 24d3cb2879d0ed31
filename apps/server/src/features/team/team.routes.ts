import { team } from '@balcao/contract/team.ts'
import { serve } from '../../platform/http/routes.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { chosenIn, rangeIn } from '../reports/reports.range.queries.ts'
import { board } from './team.actions.ts'
import { exportPauses } from './team.export.ts'
import { pausesIn } from './team.queries.ts'

export const routes = [
  serve(team.board, async scope => ({ users: await board(scope) })),
  serve(team.pauses, (scope, { query }) =>
    scope.read(async tx => {
      await askPlan(tx, 'enableReports')
      return pausesIn(tx, await rangeIn(tx, query))
    }),
  ),
  serve(team.exportPauses, async (scope, { query }, { platform }) => {
    await scope.read(tx => askPlan(tx, 'enableReports'))
    const { format, language = 'ptBR' } = query
    return exportPauses(scope, platform.files, { format, language }, chosenIn(query))
  }),
]
