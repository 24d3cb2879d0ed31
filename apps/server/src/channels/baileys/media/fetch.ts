import type { Readable } from 'node:stream'
import { Gone } from '../../../driver.ts'
import { fetchNamed } from '../../../platform/outbound/fetching.ts'
import type { ByteRate } from '../../../platform/outbound/flow.ts'

const EXPIRED = new Set([403, 404, 410])

/** The host does not have it any more; somebody may put it there again. */
export class Expired extends Gone {}

/**
 * The bytes behind an address, as a stream with back-pressure. Throws `Expired`, or an error when
 * the host refuses, stalls or breaks off. No redirect is followed: it could lead anywhere.
 */
export async function fetchBytes(url: string, limits?: ByteRate): Promise<Readable> {
  const headers = { origin: 'https://web.whatsapp.com' }
  const { status, ok, body } = await fetchNamed(url, { headers, ...(limits && { limits }) })
  if (ok && body) return body
  body?.destroy()
  if (EXPIRED.has(status)) throw new Expired(`the host answered ${status}`)
  throw new Error(`the host answered ${status}`)
}
