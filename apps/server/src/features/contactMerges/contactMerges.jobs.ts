import { chore } from '../../platform/jobs.ts'
import { forgetOverdue } from './contactMerges.actions.ts'
import { companiesWithOverdue } from './contactMerges.queries.ts'

/** What was kept to undo a merge is somebody's data: it goes with the day. */
const forget = chore('contactMerges.forgetOverdue', '23 * * * *', async scopes => {
  const platform = scopes.platform()
  for (const companyId of await companiesWithOverdue(platform))
    await platform.inCompany(companyId).transaction(forgetOverdue)
})

export const chores = [forget]
