import type { Config } from '../../platform/config.ts'
import { chore } from '../../platform/jobs.ts'
import type { Scopes } from '../../platform/scope.ts'
import { billCompany, payeeOf } from './invoices.actions.ts'
import { billedCompanies } from './invoices.queries.ts'

/** Every company by itself: what fails for one holds up no other, and is tried again. Throws an AggregateError of all that failed. */
export async function billAll(scopes: Scopes, config: Config, now: Date): Promise<void> {
  const platform = scopes.platform()
  const failures: unknown[] = []
  for (const companyId of await platform.transaction(billedCompanies))
    await billCompany(platform.inCompany(companyId), payeeOf(config), now).catch(error =>
      failures.push(error),
    )
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} companies could not be billed`)
}

/** Hourly, since days begin at different hours; a day that nothing ran is caught up with by the next run. */
const billing = chore('invoices.bill', '7 * * * *', (scopes, config) => billAll(scopes, config, new Date()))

export const chores = [billing]
