import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export interface Secrets {
  /** The key of access tokens. */
  jwt: Uint8Array
  /** A name that all processes of this installation share and no other has. */
  installation: string
  /** Seals a text of one company; only the same company's `open` reads it. */
  seal(companyId: number, text: string): string
  /** Throws on anything that was not sealed here for this company. */
  open(companyId: number, sealed: string): string
}

const VERSION = 'v1'
const IV = 12
const TAG = 16

/** Keys derived from JWT_SECRET, or from a secret made at the first start and kept in DATA_DIR. */
export async function openSecrets(config: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<Secrets> {
  const master = Buffer.from(config.jwtSecret ?? (await keptSecret(config.dataDir)))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'balcao', purpose, 32))
  const companyKeys = new Map<number, Buffer>()
  const keyOf = (companyId: number) => {
    const known = companyKeys.get(companyId) ?? derive(`company ${companyId}`)
    companyKeys.set(companyId, known)
    return known
  }

  return {
    jwt: derive('access tokens'),
    installation: derive('installation').toString('base64url').slice(0, 16),
    seal(companyId, text) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', keyOf(companyId), iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    open(companyId, sealed) {
      const [version, bytes = ''] = sealed.split('.')
      if (version !== VERSION) throw new Error('sealed in another way')
      const raw = Buffer.from(bytes, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(companyId), raw.subarray(0, IV))
      decipher.setAuthTag(raw.subarray(IV, IV + TAG))
      return Buffer.concat([decipher.update(raw.subarray(IV + TAG)), decipher.final()]).toString('utf8')
    },
  }
}

async function keptSecret(dataDir: string) {
  const path = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true })
  const made = randomBytes(48).toString('base64url')
  const draft = `${path}.${process.pid}`
  await writeFile(draft, made, { mode: 0o600 })
  // Whole or not at all: a secret cut short by a crash would be a weak one for ever.
  await link(draft, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(path, 'utf8')
}
