import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../errors.ts'
import { type HasMemory, perProduct } from '../memory.ts'
import { openBoundedQueue } from '../work/serial-queue.ts'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * One at a time: many logins at once must not occupy all processors. A caller behind
 * so many would wait for seconds, and is refused with a time to retry.
 */
const queueOf = perProduct(() =>
  openBoundedQueue({
    all: 64,
    ofOne: 32,
    full: () => refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 }),
  }),
)

/** Refuses with ERR_TOO_MANY_REQUESTS while too many wait, in all or of this caller. */
export const hashPassword = (product: HasMemory, password: string, caller: string): Promise<string> =>
  queueOf(product)(caller, () => hash(password, cost))

/** True when the password fits. Without a hash (unknown account) it costs the same time and answers false. Refuses as above. */
export async function passwordFits(
  product: HasMemory,
  password: string,
  passwordHash: string | undefined,
  caller: string,
): Promise<boolean> {
  const fits = await queueOf(product)(caller, async () =>
    verify(passwordHash ?? (await anonymousHash(product)), password),
  )
  return fits && passwordHash !== undefined
}

/** The hash of a random password, which fits no login. */
export const unknownPassword = (): Promise<string> => hash(randomBytes(32), cost)

const anonymousHash = perProduct(() => hash('no account has this password', cost))
