import { hash, verify } from '@node-rs/argon2'
import { refuse } from './errors.ts'

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Who stands in line behind more than these would wait for seconds: he is told to come again. */
const LINE = 64
const OF_ONE_CALLER = 32

/** One at a time: a crowd at the door must not take the processors from those already inside. */
let last: Promise<unknown> = Promise.resolve()
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const turn = last.then(work)
  last = turn.catch(() => {})
  return turn
}

const line = { all: 0, by: new Map<string, number>() }

async function inLine<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const own = line.by.get(caller) ?? 0
  if (line.all >= LINE || own >= OF_ONE_CALLER) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 2 })
  line.all++
  line.by.set(caller, own + 1)
  try {
    return await inTurn(work)
  } finally {
    line.all--
    const left = line.by.get(caller)! - 1
    if (left > 0) line.by.set(caller, left)
    else line.by.delete(caller)
  }
}

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
