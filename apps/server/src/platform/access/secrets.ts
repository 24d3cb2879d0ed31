import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { NotSealedHere } from '../errors.ts'
import type { SigningKeys } from './signatures.ts'

export interface Secrets {
  /** The keys of access tokens. */
  jwt: SigningKeys
  /** The keys of refresh tokens. */
  refresh: SigningKeys
  /** The keys of links in letters. */
  links: SigningKeys
  /** A name that all processes of this installation share and no other has. */
  installation: string
  /** Names the secret that seals, and reveals nothing of it. */
  keyId: string
  /** Seals a text or bytes of one company; only the same company's `open` and `openBytes` read it. */
  seal(companyId: number, value: string | Uint8Array): string
  /** The text again. Throws one and the same error on anything that was not sealed here for this company. */
  open(companyId: number, sealed: string): string
  openBytes(companyId: number, sealed: string): Buffer
}

/** The secrets of this process, with what the rotation of one needs. */
export interface OpenedSecrets extends Secrets {
  /** JWT_SECRET, and JWT_SECRET_OLD where it is given. */
  known: { keyId: string; installation: string }[]
  /** The known secret that opens it; null for none. */
  keyIdOf(companyId: number, sealed: string): string | null
}

const VERSION = 'v1.'
const CIPHER = 'aes-256-gcm'
const IV = 12
const TAG = 16
const LEAST = 32

/** Sealed values within a text, whatever is around them. */
export const SEALED = /v1\.[A-Za-z0-9+/]{38,}={0,2}/g

/**
 * Keys derived from JWT_SECRET, or from a secret made at the first start and kept in DATA_DIR/secret. JWT_SECRET_OLD opens
 * what it sealed; tokens and links that it signed are valid with KEEP_SESSIONS only, since a secret may be replaced because
 * others know it. Whoever changes a secret otherwise makes what was sealed unreadable: beside a database that is `isBegun`
 * none is made, and `agreeOnKeys` refuses another.
 */
export async function openSecrets(
  config: Pick<Config, 'jwtSecret' | 'jwtSecretOld' | 'keepSessions' | 'dataDir'>,
  isBegun: () => Promise<boolean>,
): Promise<OpenedSecrets> {
  const rings = [config.jwtSecret ?? (await keptSecret(config.dataDir, isBegun)), config.jwtSecretOld ?? '']
    .filter(secret => secret !== '')
    .map(ringOf)
  const [current] = rings as [Ring]
  const signing = (purpose: string): SigningKeys => ({
    signing: current.derive(purpose),
    verifying: (config.keepSessions ? rings : [current]).map(({ derive }) => derive(purpose)),
  })
  const find = (companyId: number, sealed: string) => {
    if (!sealed.startsWith(VERSION)) return null
    for (const { keyId, keyOf } of rings) {
      const value = decipher(keyOf(companyId), sealed.slice(VERSION.length))
      if (value) return { keyId, value }
    }
    return null
  }
  const openBytes = (companyId: number, sealed: string) => {
    const found = find(companyId, sealed)
    if (!found) throw new NotSealedHere('not sealed here for this company')
    return found.value
  }
  return {
    jwt: signing('access tokens'),
    refresh: signing('refresh tokens'),
    links: signing('links in letters'),
    installation: current.installation,
    keyId: current.keyId,
    known: rings,
    seal: (companyId, value) => VERSION + encipher(current.keyOf(companyId), value),
    open: (companyId, sealed) => openBytes(companyId, sealed).toString('utf8'),
    openBytes,
    keyIdOf: (companyId, sealed) => find(companyId, sealed)?.keyId ?? null,
  }
}

type Ring = ReturnType<typeof ringOf>

/** What is derived from one secret. */
function ringOf(secret: string) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'balcao', purpose, 32))
  const nameOf = (purpose: string) => derive(purpose).toString('base64url').slice(0, 16)
  const companyKeys = new Map<number, Buffer>()
  return {
    derive,
    keyId: nameOf('key id'),
    installation: nameOf('installation'),
    keyOf(companyId: number) {
      const known = companyKeys.get(companyId) ?? derive(`company ${companyId}`)
      companyKeys.set(companyId, known)
      return known
    },
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
