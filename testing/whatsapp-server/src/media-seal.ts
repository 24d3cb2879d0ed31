import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType } from 'baileys'

/** The file's fields of a message, and what is needed to decrypt it. */
export interface FileKeys {
  mediaKey: Buffer
  fileSha256: Buffer
  fileEncSha256: Buffer
  fileLength: number
}

const MAC_BYTES = 10

/** Encrypts a file as a phone does before it uploads it. */
export async function seal(bytes: Buffer, type: MediaType): Promise<{ sealed: Buffer; keys: FileKeys }> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  const sealed = Buffer.concat([encrypted, macOf(encrypted, iv, macKey!)])
  const keys = {
    mediaKey,
    fileSha256: sha256(bytes),
    fileEncSha256: sha256(sealed),
    fileLength: bytes.length,
  }
  return { sealed, keys }
}

/** Decrypts a file and checks every field of its message. Throws an error that names the mismatch. */
export async function unseal(sealed: Buffer, keys: FileKeys, type: MediaType): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(keys.mediaKey, type)
  const encrypted = sealed.subarray(0, -MAC_BYTES)
  if (!macOf(encrypted, iv, macKey!).equals(sealed.subarray(-MAC_BYTES))) throw new Error('wrong MAC')
  if (!sha256(sealed).equals(keys.fileEncSha256)) throw new Error('wrong hash of the encrypted file')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const bytes = Buffer.concat([decipher.update(encrypted), decipher.final()])
  if (!sha256(bytes).equals(keys.fileSha256)) throw new Error('wrong hash of the file')
  if (bytes.length !== keys.fileLength) throw new Error('wrong length of the file')
  return bytes
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

const macOf = (encrypted: Buffer, iv: Uint8Array, macKey: Uint8Array) =>
  createHmac('sha256', macKey).update(iv).update(encrypted).digest().subarray(0, MAC_BYTES)
