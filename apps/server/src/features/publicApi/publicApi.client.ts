import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { discard } from '../../platform/http/files.ts'
import { perProduct } from '../../platform/memory.ts'
import { OutboundError } from '../../platform/outbound/outbound.ts'
import { openSlots } from '../../platform/work/concurrency.ts'

/** The largest file at an address, and the longest time for it. */
const MAX_BYTES = 16 * 1_048_576
const TIMEOUT_MS = 20_000
/** So many calls fetch files at once in this process, and so many of one company; others come again. */
const AT_ONCE = 24
const OF_ONE_AT_ONCE = 8
const RETRY_AFTER_S = 2

/**
 * Fetches the files at these addresses and keeps them. Refuses with ERR_MEDIA_ADDRESS for one that cannot be fetched or
 * may not, with ERR_FILE_TYPE and ERR_FILE_TOO_LARGE, with ERR_TOO_MANY_REQUESTS while too many are fetched, and leaves none behind then.
 */
export async function fetchFiles(
  platform: Platform,
  companyId: number,
  addresses: string[],
): Promise<StoredFile[]> {
  if (addresses.length === 0) return []
  const { files } = platform
  const slots = slotsOf(platform)
  const whose = String(companyId)
  await files.askRoom(companyId)
  if (!slots.acquire(whose)) return refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: RETRY_AFTER_S })
  const kept: StoredFile[] = []
  try {
    for (const address of addresses) kept.push(await fetchOne(platform, companyId, address))
    return kept
  } catch (error) {
    await discard(files, companyId, kept)
    throw error
  } finally {
    slots.release(whose)
  }
}

const slotsOf = perProduct(() => openSlots({ all: AT_ONCE, ofOne: OF_ONE_AT_ONCE }))

/** From there into the store, piece by piece. */
async function fetchOne(
  { files, outbound }: Platform,
  companyId: number,
  address: string,
): Promise<StoredFile> {
  try {
    return await outbound
      .by({ target: 'pages', companyId })
      .receiveOutside(
        address,
        { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
        async ({ status, headers, body }) => {
          if (status !== 200)
            return refuse('ERR_MEDIA_ADDRESS', { field: 'medias', message: `The address answered ${status}` })
          const type = String(headers['content-type'] ?? '')
          return files.put(companyId, body, { name: nameIn(address), type })
        },
      )
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.reason === 'too-large'
      ? refuse('ERR_FILE_TOO_LARGE', { field: 'medias', details: { limit: MAX_BYTES } })
      : refuse('ERR_MEDIA_ADDRESS', { field: 'medias', message: error.reason })
  }
}

function nameIn(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
