import { chore } from '../../platform/jobs.ts'
import { forgetOld } from './cloud.actions.ts'

/** Clears away what Meta posted long ago and is worked off. */
const forgetOldDeliveries = chore('cloud.forgetOldDeliveries', '17 3 * * *', async scopes => {
  await scopes.platform().transaction(forgetOld)
})

export const chores = [forgetOldDeliveries]
