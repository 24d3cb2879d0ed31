import type { Feature } from '../../platform/features.ts'
import { chore } from '../../platform/work/jobs.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { applyReadjustments } from './pricing.actions.ts'
import { routes } from './pricing.routes.ts'

export const pricing: Feature = {
  name: 'pricing',
  routes,
  jobs: [
    // hourly, since days begin at different hours
    chore('pricing.readjust', '4 * * * *', async (scopes, config) =>
      applyReadjustments(scopes, await billingNow({ scopes, config })),
    ),
  ],
}
