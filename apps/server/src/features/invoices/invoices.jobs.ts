import { databaseDate } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Scopes } from '../../platform/scope.ts'
import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { billingNow } from './invoices.actions.ts'
import { billCompany } from './invoices.billing.actions.ts'
import { billedCompanies } from './invoices.queries.ts'

/**
 * One company after the other, which leaves the database and this process to requests for most of the time: what fails for one
 * holds up no other, and is tried again. Throws an AggregateError of all that failed.
 */
export async function billAll(scopes: Scopes, config: Config, now: Date): Promise<void> {
  const billed = await scopes.platform().transaction(sql => billedCompanies(sql, now, config.tzDefault))
  const writing = { ...(await billingNow({ scopes, config })), now }
  const bill = (companyId: number) => billCompany(scopes.bulk(companyId), writing)
  await eachByItself(billed, bill, 'to bill a company')
}

/** Hourly, since days begin at different hours; a day that nothing ran is caught up with by the next run. */
const billing = chore('invoices.bill', '7 * * * *', (scopes, config) =>
  billAll(scopes, config, databaseDate()),
)

export const jobs = [billing]
