import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { getMediaKeys, type MediaType } from 'baileys'
import type { FileSource } from './sources.ts'

const MAC_BYTES = 10

/**
 * Decrypts a file as it comes. Throws at its end when it is not the one that its message spoke of: what was given out
 * until then must be thrown away. Baileys' own download checks neither MAC nor hash.
 */
export async function* unseal(
  sealed: AsyncIterable<Uint8Array>,
  { mediaKey, type, sha256 }: Pick<FileSource, 'mediaKey' | 'sha256'> & { type: MediaType },
): AsyncGenerator<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(Buffer.from(mediaKey, 'base64'), type)
  const cipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const mac = createHmac('sha256', macKey!).update(iv)
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of sealed) {
    const bytes = Buffer.concat([held, chunk])
    const end = Math.max(0, bytes.length - MAC_BYTES)
    held = bytes.subarray(end)
    if (end === 0) continue
    mac.update(bytes.subarray(0, end))
    const plain = cipher.update(bytes.subarray(0, end))
    hash.update(plain)
    yield plain
  }
  if (held.length < MAC_BYTES || !timingSafeEqual(held, mac.digest().subarray(0, MAC_BYTES)))
    throw new Error('the file came damaged')
  const rest = cipher.final()
  hash.update(rest)
  if (sha256 && hash.digest('base64') !== sha256) throw new Error('the file is not the one that was sent')
  yield rest
}
