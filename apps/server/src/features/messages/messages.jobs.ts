import { job } from '../../platform/jobs.ts'

/** Files that no row shows any more; the row that named them went in the commit that asked for this. */
export const removeFiles = job<{ keys: string[] }>(
  'messages.removeFiles',
  async ({ companyId }, { keys }, { files }) => {
    for (const key of keys) await files.remove(companyId, key)
  },
)

export const jobs = [removeFiles]
