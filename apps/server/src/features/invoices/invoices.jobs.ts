import type { Config } from '../../platform/config.ts'
import type { Scopes } from '../../platform/scope.ts'
import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { billCompany, payeeOf } from './invoices.actions.ts'
import { billedCompanies } from './invoices.queries.ts'

/** Every company by itself: what fails for one holds up no other, and is tried again. Throws an AggregateError of all that failed. */
export async function billAll(scopes: Scopes, config: Config, now: Date): Promise<void> {
  const platform = scopes.platform()
  const billed = await platform.transaction(billedCompanies)
  const bill = (companyId: number) => billCompany(platform.inCompany(companyId), payeeOf(config), now)
  await eachByItself(billed, bill, 'to bill a company')
}

/** Hourly, since days begin at different hours; a day that nothing ran is caught up with by the next run. */
const billing = chore('invoices.bill', '7 * * * *', (scopes, config) => billAll(scopes, config, new Date()))

export const jobs = [billing]
