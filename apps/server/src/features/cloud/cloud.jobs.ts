import { chore } from '../../platform/work/jobs.ts'
import { deleteOldDeliveries } from './cloud.queries.ts'

/** Clears away what Meta posted long ago and is worked off. */
const forgetOldDeliveries = chore('cloud.forgetOldDeliveries', '17 3 * * *', async scopes => {
  await scopes.platform().transaction(deleteOldDeliveries)
})

export const jobs = [forgetOldDeliveries]
