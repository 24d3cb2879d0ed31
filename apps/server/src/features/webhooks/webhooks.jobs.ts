import { chore } from '../../platform/work/jobs.ts'
import { forgetDeliveries } from './webhooks.queries.ts'

export const jobs = [
  chore('webhooks.forgetDeliveries', '40 3 * * *', async scopes => {
    await scopes.platform().transaction(sql => forgetDeliveries(sql))
  }),
]
