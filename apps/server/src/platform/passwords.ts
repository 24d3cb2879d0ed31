import { hash, verify } from '@node-rs/argon2'
import { refuse } from './errors.ts'
import { openBoundedQueue } from './queue.ts'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * One at a time: a crowd at the door must not take the processors from those already inside. Who stands in line behind
 * so many would wait for seconds: he is told to come again.
 */
const inLine = openBoundedQueue({
  all: 64,
  ofOne: 32,
  full: () => refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 }),
})

/** Refuses with ERR_TOO_MANY_REQUESTS while too many stand in line, in all or of this caller. */
export const hashPassword = (password: string, caller: string): Promise<string> =>
  inLine(caller, () => hash(password, cost))

/** True when the password fits. With no hash (unknown account) it takes as long and answers false. Refuses as above. */
export async function passwordFits(
  password: string,
  passwordHash: string | undefined,
  caller: string,
): Promise<boolean> {
  const fits = await inLine(caller, async () => verify(passwordHash ?? (await nobody()), password))
  return fits && passwordHash !== undefined
}

let nobodyHash: Promise<string> | undefined
const nobody = () => {
  nobodyHash ??= hash('nobody has this password', cost)
  return nobodyHash
}
