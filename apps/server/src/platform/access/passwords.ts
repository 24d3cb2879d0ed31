import { randomBytes } from 'node:crypto'
import { USUAL_PASSWORD } from '@balcao/contract/accounts.rules.ts'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../errors.ts'
import { networkOf } from '../http/rate-limits.ts'
import { type HasMemory, perProduct } from '../memory.ts'
import { Turns } from '../postgres/turns.ts'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Two at a time, one of strangers and one of others, so that many tries occupy no more than one processor and whoever is
 * known waits behind no stranger. Strangers take turns by their address.
 */
const turnsOf = perProduct(() => ({
  known: new Turns<string>(1, { most: MOST_OF_ONE }),
  strangers: new Turns<string>(1, { most: MOST_OF_ONE, waitMs: 30_000 }),
}))

/** What new passwords of a product have to fulfil. */
const ruleOf = perProduct(() => ({ least: USUAL_PASSWORD }))

/** Sets how many characters a new password has at least. */
export const askPasswordLength = (product: HasMemory, least: number): void => {
  ruleOf(product).least = least
}

/**
 * The hash of a password that somebody chose. Refuses with ERR_BAD_REQUEST and the field where it is too short, with
 * ERR_PASSWORD_COMMON where it is among the first that are tried, and as `hashPassword` does.
 */
export async function hashNewPassword(
  product: HasMemory,
  password: string,
  caller: string | Stranger,
  field = 'password',
): Promise<string> {
  if (password.length < ruleOf(product).least) refuse('ERR_BAD_REQUEST', { field, message: 'Too Short!' })
  // read at the first new password: a start does not wait for it
  const { isCommon } = await import('./frequent.ts')
  if (isCommon(password)) refuse('ERR_PASSWORD_COMMON', { field })
  return hashPassword(product, password, caller)
}

/** So many of one caller wait; whoever comes behind them is refused. */
const MOST_OF_ONE = 32

/** Somebody whom nothing that was signed before shows. */
export interface Stranger {
  network: string
}

export const strangerAt = (address: string): Stranger => ({ network: networkOf(address) })

/** In turn: `caller` names a user, a device or the holder of a link, or is a stranger. Refuses with ERR_TOO_MANY_REQUESTS while too many of it wait. */
async function inTurn<T>(product: HasMemory, caller: string | Stranger, work: () => Promise<T>): Promise<T> {
  const { known, strangers } = turnsOf(product)
  const [turns, name] = typeof caller === 'string' ? [known, caller] : [strangers, caller.network]
  const turn = await turns.acquire(name).catch(() => refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 }))
  try {
    return await work()
  } finally {
    turns.release(turn)
  }
}

/** Refuses with ERR_TOO_MANY_REQUESTS while too many of this caller wait. */
export const hashPassword = (
  product: HasMemory,
  password: string,
  caller: string | Stranger,
): Promise<string> => inTurn(product, caller, () => hash(password, cost))

/** True when the password fits. Without a hash (unknown account) it costs the same time and answers false. Refuses as above. */
export async function passwordFits(
  product: HasMemory,
  password: string,
  passwordHash: string | undefined,
  caller: string | Stranger,
): Promise<boolean> {
  const fits = await inTurn(product, caller, async () =>
    verify(passwordHash ?? (await anonymousHash(product)), password),
  )
  return fits && passwordHash !== undefined
}

/** The hash of a random password, which fits no login. */
export const unknownPassword = (): Promise<string> => hash(randomBytes(32), cost)

const anonymousHash = perProduct(() => hash('no account has this password', cost))
