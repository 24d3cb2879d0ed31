import { job } from './jobs.ts'
import type { Tx } from './scope.ts'

const SERVED = '/media/'
/** So many go in one job. */
const AT_ONCE = 500

/** Where a kept file is served to its company. */
export const addressOf = (key: string): string => SERVED + key

/** The key of a kept file by its address; null for any other address. */
export const keyAt = (address: string): string | null =>
  address.startsWith(SERVED) ? address.slice(SERVED.length) : null

/** The row that named them went in the commit that asked for this, or their time is over. */
export const removal = job<{ keys: string[] }>('files.remove', async ({ companyId }, { keys }, { files }) => {
  for (const key of keys) await files.remove(companyId, key)
})

/** A job takes the files away that are served at these addresses, `after` so many seconds; it commits with `tx`. */
export async function removeFiles(tx: Tx, addresses: string[], after = 0): Promise<void> {
  const keys = addresses.flatMap(address => keyAt(address) ?? [])
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await tx.enqueue(removal, { keys: keys.slice(at, at + AT_ONCE) }, { after })
}
