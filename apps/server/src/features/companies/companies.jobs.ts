import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { foldSomeCompanies } from './companies.queries.ts'
import { companiesWithCounts, setFileCount } from './companies.storage.queries.ts'

export const jobs = [
  /** Counts again every night: counts may be wrong after a crash, or after files were added while they were counted. */
  chore('companies.countFiles', '11 3 * * *', async (scopes, _config, { files }) => {
    const platform = scopes.platform()
    const counted = await platform.transaction(companiesWithCounts)
    const count = async ({ id }: { id: number }) => {
      const found = await files.sizeOf(id)
      await platform.inCompany(id).transaction(tx => setFileCount(tx, found))
    }
    await eachByItself(counted, count, 'to count the files of a company')
  }),
  /** Fills the words of companies that an earlier version wrote: some thousand rows a commit, until there are none. */
  chore('companies.foldWords', '* * * * *', async scopes => {
    let folded = true
    while (folded) folded = await scopes.platform().transaction(foldSomeCompanies)
  }),
]
