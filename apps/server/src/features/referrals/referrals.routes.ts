import { referrals } from '@balcao/contract/referrals.ts'
import { serve } from '../../platform/http/routes.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { rangeIn } from '../reports/reports.range.queries.ts'
import { referredTickets, sourcesIn } from './referrals.queries.ts'

export const routes = [
  serve(referrals.list, (scope, { query }) =>
    scope.read(async tx => {
      await askPlan(tx, 'enableReports')
      return { sources: await sourcesIn(tx, await rangeIn(tx, query)) }
    }),
  ),
  serve(referrals.tickets, (scope, { query }) =>
    scope.read(async tx => {
      await askPlan(tx, 'enableReports')
      return referredTickets(tx, await rangeIn(tx, query), query)
    }),
  ),
]
