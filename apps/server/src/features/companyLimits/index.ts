import { databaseDate } from '../../platform/clock.ts'
import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/work/jobs.ts'
import { settleAllLimits } from './companyLimits.actions.ts'
import { reacts } from './companyLimits.reacts.ts'
import { routes } from './companyLimits.routes.ts'

export const companyLimits: Feature = {
  name: 'companyLimits',
  routes,
  reacts,
  // hourly, since days begin at different hours
  jobs: [chore('companyLimits.settle', '6 * * * *', scopes => settleAllLimits(scopes, databaseDate()))],
}
