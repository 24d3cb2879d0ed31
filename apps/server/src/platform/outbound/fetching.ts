import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type ByteRate, byteRate, endsWithin, flowing } from './flow.ts'

/**
 * An answer of a host that the operator or a network's library names, such as WhatsApp's: its address is not checked, and no
 * redirect is followed. Throws when the answer does not begin in time; the body ends when it comes too slowly.
 */
export async function fetchNamed(
  url: string | URL,
  { headers, limits = byteRate }: { headers: Record<string, string>; limits?: ByteRate },
): Promise<{ status: number; ok: boolean; body: Readable | null }> {
  const { status, ok, body } = await endsWithin(limits.graceMs, signal =>
    fetch(url, { headers, redirect: 'error', signal }),
  )
  return { status, ok, body: body && flowing(Readable.fromWeb(body as ReadableStream), limits) }
}
