import type { Database, How, Sql } from '../src/platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'

/**
 * A proxy between the product and its database: the answer to the commit that writes this message gets lost, once. Its
 * transaction is the only one that sees the row before its own commit.
 */
export function loseAnswerTo(database: Database, message: { id?: string; body?: string }): void {
  const through = { transaction: database.transaction }
  let isLost = false
  async function transaction<T>(wall: string, work: (sql: Sql) => Promise<T>, how?: How): Promise<T> {
    let isIt = false
    const watched = async (sql: Sql) => {
      const done = await work(sql)
      if (!isLost) isIt = await wrote(sql, message)
      return done
    }
    const result = await through.transaction(wall, watched, how)
    if (!isIt) return result
    isLost = true
    throw new Error('Connection terminated unexpectedly')
  }
  Object.assign(database, { transaction })
}

async function wrote(sql: Sql, { id = '', body = '' }: { id?: string; body?: string }) {
  const rows = await rowsFrom(
    sql,
    tag`select from messages where (id::text = ${id} or body = ${body}) and xmin::text = pg_current_xact_id()::text`,
  )
  return rows.length > 0
}
