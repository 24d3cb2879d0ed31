import { chore } from '../../platform/jobs.ts'
import type { Scopes } from '../../platform/scope.ts'
import { keepDays } from './reports.days.ts'
import { ownZone, reportedCompanies } from './reports.range.ts'

/** Of every company, a month of days a commit; what fails for one holds up no other. Throws an AggregateError of all that failed. */
export async function keepAllDays(scopes: Scopes, busy?: number): Promise<void> {
  const platform = scopes.platform()
  const failures: unknown[] = []
  for (const companyId of await platform.transaction(reportedCompanies)) {
    const scope = platform.inCompany(companyId)
    const some = () => scope.transaction(async tx => keepDays(tx, await ownZone(tx), busy))
    try {
      while ((await some()) > 0);
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `of ${failures.length} companies no days are kept`)
}

/** By night, when few look at reports; until then a report adds up for itself. */
export const chores = [chore('reports.keepDays', '23 4 * * *', scopes => keepAllDays(scopes))]
