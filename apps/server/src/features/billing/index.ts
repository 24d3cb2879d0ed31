import { databaseDate } from '../../platform/clock.ts'
import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/work/jobs.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { applyChanges } from './billing.change.actions.ts'
import { endDue } from './billing.end.actions.ts'
import { routes } from './billing.routes.ts'

export const billing: Feature = {
  name: 'billing',
  routes,
  jobs: [
    // hourly, since days begin at different hours
    chore('billing.applyChanges', '3 * * * *', async (scopes, config) =>
      applyChanges(scopes, await billingNow({ scopes, config })),
    ),
    chore('billing.end', '5 * * * *', (scopes, config) => endDue(scopes, databaseDate(), config.tzDefault)),
  ],
}
