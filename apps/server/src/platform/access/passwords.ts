import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../errors.ts'
import { openBoundedQueue } from '../work/serial-queue.ts'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * One at a time: many logins at once must not occupy all processors. A caller behind
 * so many would wait for seconds, and is refused with a time to retry.
 */
const inLine = openBoundedQueue({
  all: 64,
  ofOne: 32,
  full: () => refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 }),
})

/** Refuses with ERR_TOO_MANY_REQUESTS while too many wait, in all or of this caller. */
export const hashPassword = (password: string, caller: string): Promise<string> =>
  inLine(caller, () => hash(password, cost))

/** True when the password fits. Without a hash (unknown account) it costs the same time and answers false. Refuses as above. */
export async function passwordFits(
  password: string,
  passwordHash: string | undefined,
  caller: string,
): Promise<boolean> {
  const fits = await inLine(caller, async () => verify(passwordHash ?? (await anonymous()), password))
  return fits && passwordHash !== undefined
}

let anonymousHash: Promise<string> | undefined
const anonymous = () => {
  anonymousHash ??= hash('nobody has this password', cost)
  return anonymousHash
}
