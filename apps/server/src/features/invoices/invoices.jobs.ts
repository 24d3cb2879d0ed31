import type { Config } from '../../platform/config.ts'
import { chore } from '../../platform/jobs.ts'
import type { Scopes } from '../../platform/scope.ts'
import { billCompany, payeeOf } from './invoices.actions.ts'
import { billedCompanies } from './invoices.queries.ts'

/** Every company by itself: what fails for one holds up no other, and is tried again within the hour. */
export async function billAll(
  scopes: Scopes,
  config: Config,
  now: Date,
): Promise<{ made: number; failed: number }> {
  const platform = scopes.platform()
  const counts = { made: 0, failed: 0 }
  for (const companyId of await platform.transaction(billedCompanies))
    await billCompany(platform.inCompany(companyId), payeeOf(config), now).then(
      made => {
        counts.made += made
      },
      () => {
        counts.failed++
      },
    )
  return counts
}

/** Hourly, since days begin at different hours; a day that nothing ran is caught up with by the next run. */
const billing = chore('invoices.bill', '7 * * * *', async (scopes, config) => {
  const { failed } = await billAll(scopes, config, new Date())
  if (failed > 0) throw new Error(`${failed} companies could not be billed: they are tried again`)
})

export const chores = [billing]
