import { createHash } from 'node:crypto'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, lt, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { loginTries } from './auth.table.ts'

/** Failures without a wait; each further one doubles the wait before the next try. */
export interface Allowance {
  free: number
  waitMinutes: number
}

const PASSWORDS: Allowance = { free: 10, waitMinutes: 1 }
/** From all networks together; meanwhile each of them has `CROWDED` failures, so that strangers lock out no user. */
const OF_ALL: Allowance = { free: 30, waitMinutes: 1 }
const CROWDED = 3

/** The longest wait is the first one doubled this often. */
const DOUBLINGS = 5
/** Failures count until this long after the last one. */
const REMEMBERED = tag`interval '2 hours'`

/** The key of a row: a hash, so that it reveals no e-mail. */
export const tried = (kind: string, name: string | number) =>
  createHash('sha256').update(`${kind} ${name}`).digest('hex')

/**
 * Refuses with ERR_TOO_MANY_REQUESTS during a wait. Checked before a password is compared and again when it was right:
 * concurrent tries do not learn more than sequential ones.
 */
export async function refuseTooMany(sql: Sql, what: string): Promise<void> {
  const [row] = await rowsFrom<{ seconds: number }>(
    sql,
    tag`select ceil(extract(epoch from next_at - clock_timestamp()))::int as seconds from login_tries
      where what = ${what} and next_at > clock_timestamp()`,
  )
  if (row) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: row.seconds })
}

/** Counts a failure; false during a wait. By `clock_timestamp()`, since concurrent transactions start at the same time. */
async function countTry(
  sql: Sql,
  what: string,
  { free, waitMinutes }: Allowance = PASSWORDS,
): Promise<boolean> {
  const count = tag`case when login_tries.tried_at < now() - ${REMEMBERED} then 1 else login_tries.failures + 1 end`
  const rows = await rowsFrom<unknown>(
    sql,
    tag`insert into login_tries (what, failures, tried_at, next_at) values (${what}, 1, clock_timestamp(), '-infinity')
      on conflict (what) do update set failures = ${count}, tried_at = clock_timestamp(), next_at =
        case when ${count} < ${free} then '-infinity' else clock_timestamp() +
          interval '1 minute' * ${waitMinutes} * power(2, least(${count} - ${free}, ${DOUBLINGS})) end
      where login_tries.next_at <= clock_timestamp()
      returning 1`,
  )
  return rows.length > 0
}

/** After a password was compared: counts a wrong one and returns false. Refuses with ERR_TOO_MANY_REQUESTS during a wait, even a right one. */
export async function settleTry(sql: Sql, what: string, { isRight }: { isRight: boolean }): Promise<boolean> {
  if (isRight || !(await countTry(sql, what))) await refuseTooMany(sql, what)
  return isRight
}

/** Counts an attempt whatever its result. Refuses with ERR_TOO_MANY_REQUESTS during a wait. */
export async function countAttempt(sql: Sql, what: string, allowance: Allowance): Promise<void> {
  await refuseTooMany(sql, what)
  if (!(await countTry(sql, what, allowance))) await refuseTooMany(sql, what)
}

/** What counts a guess: from where it comes, and for strangers the account with all who guess at it. */
export interface Guess {
  from: string
  account: string | null
}

export const fromDevice = (name: string): Guess => ({ from: tried('device', name), account: null })

export function fromNetwork(email: string, network: string): Guess {
  const account = email.toLowerCase()
  return { from: tried('account', `${account} from ${network}`), account: tried('account', account) }
}

/** Refuses with ERR_TOO_MANY_REQUESTS during a wait of where it comes from, or of the account after a few failures from there. */
export async function refuseGuess(sql: Sql, guess: Guess): Promise<void> {
  await refuseTooMany(sql, guess.from)
  await refuseCrowded(sql, guess, CROWDED)
}

async function refuseCrowded(sql: Sql, { from, account }: Guess, most = CROWDED + 1) {
  if (account === null) return
  const failures = tag`(select failures from login_tries where what = ${from} and tried_at > now() - ${REMEMBERED})`
  const crowded = await rowsFrom<unknown>(
    sql,
    tag`select 1 from login_tries where what = ${account} and next_at > clock_timestamp() and ${failures} >= ${most}`,
  )
  if (crowded.length > 0) await refuseTooMany(sql, account)
}

/** After a password was compared; as `settleTry`. */
export async function settleGuess(sql: Sql, guess: Guess, { isRight }: { isRight: boolean }): Promise<void> {
  if (isRight) return refuseGuess(sql, guess)
  const isCounted = await countTry(sql, guess.from)
  if (guess.account !== null) await countTry(sql, guess.account, OF_ALL)
  // a failure that was the last one free is answered as such
  await (isCounted ? refuseCrowded(sql, guess) : refuseTooMany(sql, guess.from))
}

export const dropOldTries = (sql: Sql) =>
  sql
    .delete(loginTries)
    .where(and(lt(loginTries.triedAt, tag`now() - ${REMEMBERED}`), lt(loginTries.nextAt, tag`now()`)))
