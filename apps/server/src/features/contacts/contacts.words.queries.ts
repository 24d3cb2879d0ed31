import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

/** So few rows per commit that other transactions do not wait. */
const AT_ONCE = 2_000

/** Has the trigger fold the words of some contacts of one company that has such; false where none has. */
export async function foldSomeContacts(sql: Sql): Promise<boolean> {
  // one look a company at the index of the words
  await sql.execute(tag`set local enable_seqscan = off`)
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`with those as materialized (
        select k.company_id, k.id from contacts k
        where k.words = '' and k.company_id = (
          select c.id from companies c where exists (
            select from contacts one where one.company_id = c.id and one.words = '') limit 1)
        limit ${AT_ONCE} for no key update skip locked
      ) update contacts k set name = k.name from those where k.company_id = those.company_id and k.id = those.id
      returning k.id`,
  )
  return rows.length > 0
}
