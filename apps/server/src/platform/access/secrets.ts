import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'

export interface Secrets {
  /** The key of access tokens. */
  jwt: Uint8Array
  /** The key of refresh tokens. */
  refresh: Uint8Array
  /** The key of links in letters. */
  links: Uint8Array
  /** A name that all processes of this installation share and no other has. */
  installation: string
  /** Seals a text or bytes of one company; only the same company's `open` and `openBytes` read it. */
  seal(companyId: number, value: string | Uint8Array): string
  /** The text again. Throws one and the same error on anything that was not sealed here for this company. */
  open(companyId: number, sealed: string): string
  openBytes(companyId: number, sealed: string): Buffer
}

const VERSION = 'v1.'
const CIPHER = 'aes-256-gcm'
const IV = 12
const TAG = 16
const LEAST = 32

/**
 * Keys derived from JWT_SECRET, or from a secret made at the first start and kept in DATA_DIR/secret. Whoever changes
 * that secret ends every session and makes what was sealed unreadable: beside a database that is `isBegun` none is made.
 */
export async function openSecrets(
  config: Pick<Config, 'jwtSecret' | 'dataDir'>,
  isBegun: () => Promise<boolean>,
): Promise<Secrets> {
  const master = Buffer.from(config.jwtSecret ?? (await keptSecret(config.dataDir, isBegun)))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'balcao', purpose, 32))
  const companyKeys = new Map<number, Buffer>()
  const keyOf = (companyId: number) => {
    const known = companyKeys.get(companyId) ?? derive(`company ${companyId}`)
    companyKeys.set(companyId, known)
    return known
  }
  const openBytes = (companyId: number, sealed: string) => {
    const opened = sealed.startsWith(VERSION) && decipher(keyOf(companyId), sealed.slice(VERSION.length))
    if (!opened) throw new Error('not sealed here for this company')
    return opened
  }
  return {
    jwt: derive('access tokens'),
    refresh: derive('refresh tokens'),
    links: derive('links in letters'),
    installation: derive('installation').toString('base64url').slice(0, 16),
    seal: (companyId, value) => VERSION + encipher(keyOf(companyId), value),
    open: (companyId, sealed) => openBytes(companyId, sealed).toString('utf8'),
    openBytes,
  }
}

function encipher(key: Buffer, value: string | Uint8Array) {
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG })
  const body = [
    typeof value === 'string' ? cipher.update(value, 'utf8') : cipher.update(value),
    cipher.final(),
  ]
  return Buffer.concat([iv, cipher.getAuthTag(), ...body]).toString('base64')
}

/** Null when it does not fit. A tag cut short is refused: Node would check only what is left of it. */
function decipher(key: Buffer, sealed: string) {
  const raw = Buffer.from(sealed, 'base64')
  if (raw.length < IV + TAG) return null
  try {
    const cipher = createDecipheriv(CIPHER, key, raw.subarray(0, IV), { authTagLength: TAG })
    cipher.setAuthTag(raw.subarray(IV, IV + TAG))
    return Buffer.concat([cipher.update(raw.subarray(IV + TAG)), cipher.final()])
  } catch {
    return null
  }
}

/** Whole on disk before it has its name: a crash must not leave an empty secret, which anybody could guess. */
async function keptSecret(dataDir: string, isBegun: () => Promise<boolean>) {
  const path = join(dataDir, 'secret')
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (kept === null && (await isBegun()))
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds a database with companies, and its secret is gone: no other reads what was sealed with it. ` +
        `Nothing was changed. Restore ${path} from a backup, or give the JWT_SECRET of before`,
    )
  if (kept === null) return makeSecret(dataDir, path)
  if (kept.trim().length < LEAST)
    throw new ConfigError(
      `DATA_DIR ${dataDir} holds a secret of less than ${LEAST} bytes: restore or remove it`,
    )
  return kept.trim()
}

async function makeSecret(dataDir: string, path: string) {
  const made = randomBytes(48).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(made)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  return made
}
