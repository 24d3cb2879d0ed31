import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files.ts'
import { discard } from '../../platform/http.files.ts'
import { OutboundError } from '../../platform/outbound.ts'

/** What a file at an address may weigh, and how long its server may take. */
const MAX_BYTES = 16 * 1_048_576
const TIMEOUT_MS = 20_000

/**
 * Fetches the files at these addresses and keeps them. Refuses with ERR_MEDIA_ADDRESS for one that cannot be fetched or
 * may not, with ERR_FILE_TYPE and ERR_FILE_TOO_LARGE, and leaves none behind then.
 */
export async function fetchFiles(
  { files, outbound }: Platform,
  companyId: number,
  addresses: string[],
): Promise<StoredFile[]> {
  const kept: StoredFile[] = []
  try {
    for (const address of addresses) {
      const { bytes, type } = await fetchOne(outbound, address)
      kept.push(await files.put(companyId, bytes, { name: nameIn(address), type }))
    }
    return kept
  } catch (error) {
    await discard(files, companyId, kept)
    throw error
  }
}

async function fetchOne(outbound: Platform['outbound'], address: string) {
  try {
    const { status, headers, body } = await outbound.fetchOutside(address, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    if (status !== 200)
      return refuse('ERR_MEDIA_ADDRESS', { field: 'medias', message: `The address answered ${status}` })
    return { bytes: body, type: String(headers['content-type'] ?? '') }
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
