import { within } from '../../platform/events.ts'
import { isPackage } from '../../platform/files/files.ts'
import { fileAsked, filesAsked } from '../../platform/files/served.ts'
import { exportFiles, packageNow } from './companyExports.queries.ts'

export const reacts = [
  exportFiles,
  within(filesAsked, async (tx, { addresses, named }) => {
    const kept = addresses.some(isPackage) ? await packageNow(tx) : null
    if (kept) named.add(kept)
  }),
  // everything of the company: by the link alone, and not by the rights of a user
  within(fileAsked, async (_tx, asked) => {
    if (isPackage(asked.address)) asked.isRefused = true
  }),
]
