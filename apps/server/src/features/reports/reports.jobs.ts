import type { Scopes } from '../../platform/scope.ts'
import { due } from '../../platform/work/due.ts'
import { chore, inRounds } from '../../platform/work/jobs.ts'
import { addedUpOtherwise, keepDays } from './reports.days.queries.ts'
import { dueReportMails } from './reports.mails.queries.ts'
import { mailReports } from './reports.mails.worker.ts'
import { ownZone, reportedCompanies } from './reports.range.queries.ts'

/** Of every company, a month of days a commit; what fails for one holds up no other. Throws an AggregateError of all that failed. */
export async function keepAllDays(
  scopes: Scopes,
  busy?: number,
  which: typeof reportedCompanies = reportedCompanies,
): Promise<void> {
  const platform = scopes.platform()
  const keepAll = async (companyId: number) =>
    (await platform.inCompany(companyId).transaction(async tx => keepDays(tx, await ownZone(tx), busy))) > 0
  await inRounds(await platform.transaction(which), keepAll, 'to keep the days of a company')
}

/**
 * By night, when few look at reports; until then a report adds up for itself. After an upgrade that adds up otherwise that would be
 * all days of all years, which takes longer than a statement may: then within the hour.
 */
export const jobs = [
  chore('reports.keepDays', '23 4 * * *', scopes => keepAllDays(scopes)),
  chore('reports.keepOtherwise', '53 * * * *', scopes => keepAllDays(scopes, undefined, addedUpOtherwise)),
  due('reports', mailReports, sql => dueReportMails(sql, 1)),
]
