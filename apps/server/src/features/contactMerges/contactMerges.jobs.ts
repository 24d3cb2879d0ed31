import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { forgetOverdue } from './contactMerges.actions.ts'
import { companiesWithOverdue } from './contactMerges.queries.ts'

/** The records for undoing a merge are personal data: deleted when it can no longer be undone. */
const forget = chore('contactMerges.forgetOverdue', '23 * * * *', async scopes => {
  const platform = scopes.platform()
  const overdue = await companiesWithOverdue(platform)
  await eachByItself(
    overdue,
    companyId => platform.inCompany(companyId).transaction(forgetOverdue),
    'to forget the merges of a company',
  )
})

export const jobs = [forget]
