import { chore, eachByItself } from '../../platform/work/jobs.ts'
import { companiesWithCounts, setFileCount } from './companies.storage.queries.ts'

/** Counts again every night: counts may be wrong after a crash, or after files were added while they were counted. */
export const jobs = [
  chore('companies.countFiles', '11 3 * * *', async (scopes, _config, { files }) => {
    const platform = scopes.platform()
    const counted = await platform.transaction(companiesWithCounts)
    const count = async ({ id }: { id: number }) => {
      const found = await files.sizeOf(id)
      await platform.inCompany(id).transaction(tx => setFileCount(tx, found))
    }
    await eachByItself(counted, count, 'to count the files of a company')
  }),
]
