import { hash, verify } from '@node-rs/argon2'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One at a time: a crowd at the door must not take the processors from those already inside. */
let queue: Promise<unknown> = Promise.resolve()
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = queue.then(work)
  queue = turn.catch(() => {})
  return turn
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost))

/** True when the password fits. With no hash (unknown account) it takes as long and answers false. */
export async function passwordFits(password: string, passwordHash: string | undefined): Promise<boolean> {
  const against = passwordHash ?? (await nobody())
  const fits = await inTurn(() => verify(against, password))
  return fits && passwordHash !== undefined
}

let nobodyHash: Promise<string> | undefined
const nobody = () => {
  nobodyHash ??= hashPassword('nobody has this password')
  return nobodyHash
}
