import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import type { PlatformScope } from '../scope.ts'
import { type Chore, chore, eachByItself } from './jobs.ts'

/** How long rows of a table are kept that only grows; what is still under way stays, however old. docs/growth.md names them all. */
export interface Lifetime {
  kind: 'lifetime'
  table: PgTable
  /** When it was over; null while it is not. An index of ranges (brin) finds the old ones. */
  at: PgColumn
  days: number
  isOver: SQL
}

export const lifetime = (table: PgTable, at: PgColumn, days: number, isOver: SQL = tag`true`): Lifetime => ({
  kind: 'lifetime',
  table,
  at,
  days,
  isOver,
})

/** So few rows per commit that other transactions do not wait. */
const AT_ONCE = 5_000

/** Each night what is older than its lifetime goes, of all companies. */
export const forgettingOld = (lifetimes: Lifetime[]): Chore =>
  chore('lifetimes.forget', '29 2 * * *', scopes =>
    eachByItself(lifetimes, one => forget(scopes.platform(), one), 'to forget what is old'),
  )

async function forget(platform: PlatformScope, lifetime: Lifetime): Promise<void> {
  let gone = AT_ONCE
  while (gone === AT_ONCE) gone = await forgetSome(platform, lifetime)
}

const forgetSome = (platform: PlatformScope, { table, at, days, isOver }: Lifetime): Promise<number> =>
  platform.transaction(async sql => {
    // by the index, however much of the table the planner expects to be old
    await sql.execute(tag`set local enable_seqscan = off`)
    const [row] = await rowsFrom<{ many: number }>(
      sql,
      tag`with gone as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${at} < now() - ${days}::int * interval '1 day' and ${isOver}
          limit ${AT_ONCE})) returning 1
      ) select count(*)::int as many from gone`,
    )
    return row!.many
  })
