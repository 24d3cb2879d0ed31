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

export const dropOldTries = (sql: Sql) =>
  sql
    .delete(loginTries)
    .where(and(lt(loginTries.triedAt, tag`now() - ${REMEMBERED}`), lt(loginTries.nextAt, tag`now()`)))
