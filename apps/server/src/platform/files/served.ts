import { event } from '../events.ts'
import type { Scope, Tx } from '../scope.ts'
import { job } from '../work/jobs.ts'
import type { FileBytes, Files } from './files.ts'

const SERVED = '/media/'
const DAY_S = 86_400
/** So many go in one job. */
const AT_ONCE = 500

/** Where a kept file is served to its company. */
export const addressOf = (key: string): string => SERVED + key

/** The key of a kept file by its address; null for any other address. */
export const keyAt = (address: string): string | null =>
  address.startsWith(SERVED) ? address.slice(SERVED.length) : null

/**
 * Keeps for a day (or `days`) a file that was made to be fetched; `also` is done in the commit that plans its removal.
 * Returns its address. Refuses with ERR_FILE_TOO_LARGE.
 */
export async function keepForDay(
  scope: Scope,
  files: Files,
  { name, content, days = 1 }: { name: string; content: FileBytes; days?: number },
  also?: (tx: Tx, key: string) => Promise<void> | void,
): Promise<{ url: string }> {
  const { key } = await files.put(scope.companyId, content, { name, type: '' })
  const url = addressOf(key)
  await scope.transaction(async tx => {
    await removeFiles(tx, [url], days * DAY_S)
    await also?.(tx, key)
  })
  return { url }
}

/**
 * Asks who still names these files, within the transaction that asks: a feature whose files are shared by several rows
 * adds to `named` those that it keeps. Whoever names a file anew holds a row that names it already.
 */
export const filesAsked = event<{ addresses: string[]; named: Set<string> }>('files.asked')

/** Asked before a file is served: whose rows name it refuses where the viewer may not read them. */
export const fileAsked = event<{ address: string; isRefused: boolean }>('files.read')

/** With pauses that double from five seconds these are more than a day; what is left then is removed as an orphan (orphans.ts). */
const PATIENT = { retries: 14, retryDelay: 5 }

/** A row that named them went in the commit that asked for this, or their time is over. What others name stays. */
export const removal = job<{ keys: string[] }>(
  'files.remove',
  async (scope, { keys }, { files }) => {
    const named = new Set<string>()
    await scope.list(tx => tx.involve(filesAsked, { addresses: keys.map(addressOf), named }))
    for (const key of keys) if (!named.has(addressOf(key))) await files.remove(scope.companyId, key)
  },
  PATIENT,
)

/** A job removes the files that are served at these addresses, `after` so many seconds; it commits with `tx`. */
export async function removeFiles(tx: Tx, addresses: string[], after = 0): Promise<void> {
  const keys = addresses.flatMap(address => keyAt(address) ?? [])
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await tx.enqueue(removal, { keys: keys.slice(at, at + AT_ONCE) }, { after })
}
