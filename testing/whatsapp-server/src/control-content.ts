import { createHash } from 'node:crypto'
import type { Content } from './contents.ts'
import type { Received } from './phone-inbox.ts'

/** What is bytes in a `Content`, and base64 in JSON. */
const BYTES = ['image', 'video', 'note', 'audio', 'voice', 'document', 'sticker', 'thumbnail', 'waveform']
const WORDS = [
  'text',
  'location',
  'liveLocation',
  'contacts',
  'poll',
  'event',
  'order',
  'pressed',
  'picked',
  'flow',
]

/** The content of a request. Throws when there is none. */
export function contentIn(body: Record<string, unknown>): Content {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    BYTES.includes(name) && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
  ])
  if (!entries.some(([name]) => [...BYTES, ...WORDS].includes(`${name}`))) {
    throw new Error(`one of ${[...WORDS, ...BYTES].join(', ')} must be there`)
  }
  return Object.fromEntries(entries)
}

/** A received message as JSON: of a file its size and hash. */
export function asJson({ message: _, file, ...rest }: Received): object {
  if (!file) return rest
  const { bytes, waveform: _waveform, thumbnail: _thumbnail, ...about } = file
  const sha256 = bytes && createHash('sha256').update(bytes).digest('hex')
  return { ...rest, file: { ...about, size: bytes?.length, sha256 } }
}
