import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError } from '../config.ts'

/**
 * How a backup is encrypted, version 1. A sealed object is a header and chunks:
 *
 *   header   "BALCAO\x00" (7 bytes), version 1 (1 byte), salt (32 random bytes)
 *   chunk    up to 65,536 bytes encrypted by AES-256-GCM, and its tag (16 bytes); all but the last are full, and the last may be empty
 *   key      HKDF-SHA-256 of BACKUP_KEY with the salt, info "balcao backup 1": one for each object, so that counters are never used twice
 *   nonce    number of the chunk (11 bytes, big endian), and 1 for the last chunk, 0 for all others (1 byte)
 *   header and name of the object are authenticated with each chunk
 *
 * So a chunk that is changed, lost, repeated or in another place, an end that is cut off, and an object under the name of
 * another one do not open. (STREAM of Hoang, Reyhanitabar, Rogaway and Vizár, 2015, as age and Tink have it.)
 */
const MAGIC = Buffer.from('BALCAO\0')
const VERSION = 1
const SALT = 32
const HEADER = MAGIC.length + 1 + SALT
const CHUNK = 65_536
const TAG = 16

/** The bytes of an object are not those that were sealed under its name with this key. */
class NotOpened extends ConfigError {}

/** What seals and opens the objects of one key. */
export interface Sealing {
  /** Names the key and reveals nothing of it. */
  keyId: string
  seal(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined>
  /** Throws NotOpened; what it gave before is authentic. */
  open(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined>
}

export function sealingWith(key: string): Sealing {
  const derive = (salt: Buffer, info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length))
  const objectKey = (salt: Buffer) => derive(salt, 'balcao backup 1', 32)
  return {
    keyId: derive(Buffer.alloc(0), 'balcao backup key id', 8).toString('hex'),
    async *seal(name, bytes) {
      const header = Buffer.concat([MAGIC, Buffer.from([VERSION]), randomBytes(SALT)])
      const using = {
        key: objectKey(header.subarray(-SALT)),
        beside: Buffer.concat([header, Buffer.from(name)]),
      }
      yield header
      let number = 0
      for await (const { chunk, isLast } of chunksOf(bytes, CHUNK)) {
        const cipher = createCipheriv('aes-256-gcm', using.key, nonceOf(number++, isLast)).setAAD(
          using.beside,
        )
        yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
      }
    },
    async *open(name, bytes) {
      const source = bytes[Symbol.asyncIterator]()
      try {
        const { head: header, rest } = await split(source, HEADER)
        if (header.length < HEADER || !header.subarray(0, MAGIC.length).equals(MAGIC))
          throw new NotOpened(`${name} is no sealed object of Balcão`)
        const version = header[MAGIC.length]
        if (version !== VERSION)
          throw new NotOpened(`${name} has the format ${version}, which a newer version wrote`)
        const using = {
          key: objectKey(header.subarray(-SALT)),
          beside: Buffer.concat([header, Buffer.from(name)]),
        }
        let number = 0
        for await (const { chunk, isLast } of chunksOf(rest, CHUNK + TAG))
          yield opened(name, chunk, { ...using, nonce: nonceOf(number++, isLast) })
      } finally {
        await source.return?.()
      }
    },
  }
}

/** The size of a sealed object whose content has so many bytes. */
export const sealedSize = (bytes: number): number =>
  HEADER + bytes + TAG * Math.max(1, Math.ceil(bytes / CHUNK))

function opened(
  name: string,
  chunk: Buffer,
  { key, beside, nonce }: { key: Buffer; beside: Buffer; nonce: Buffer },
) {
  if (chunk.length < TAG) throw new NotOpened(`${name} is cut off`)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(beside)
  decipher.setAuthTag(chunk.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG)), decipher.final()])
  } catch {
    throw new NotOpened(`${name} is damaged, cut off, or sealed with another BACKUP_KEY`)
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Full chunks; the last one is known as such, since nothing is given before something follows it. */
async function* chunksOf(bytes: AsyncIterable<Uint8Array>, size: number) {
  let held: Uint8Array[] = []
  let length = 0
  for await (const part of bytes) {
    held.push(part)
    length += part.length
    if (length <= size) continue
    let all = Buffer.concat(held)
    for (; all.length > size; all = all.subarray(size)) yield { chunk: all.subarray(0, size), isLast: false }
    held = [all]
    length = all.length
  }
  yield { chunk: Buffer.concat(held), isLast: true }
}

async function split(source: AsyncIterator<Uint8Array>, size: number) {
  const parts: Uint8Array[] = []
  for (let length = 0; length < size; ) {
    const { done, value } = await source.next()
    if (done) break
    parts.push(value)
    length += value.length
  }
  const all = Buffer.concat(parts)
  async function* rest() {
    if (all.length > size) yield all.subarray(size)
    for (;;) {
      const { done, value } = await source.next()
      if (done) return
      yield value
    }
  }
  return { head: all.subarray(0, size), rest: rest() }
}
