import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Sql } from '../../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import { tickets } from '../../tickets/tickets.table.ts'
import { messages } from '../messages.table.ts'

/** Counted by one statement. */
const AT_ONCE = 500

export interface CountedTicket {
  companyId: number
  id: number
}

const failedIn = tag`(select count(*)::int from ${messages} m where m.company_id = t.company_id
  and m.ticket_id = t.id and m.from_me and m.ack = ${FAILED} and not m.is_deleted)`

/** Counts the failed messages of the next living tickets of all companies; answers the last of them, undefined at the end. */
export async function countFailedMessages(
  sql: Sql,
  { companyId, id }: CountedTicket,
): Promise<CountedTicket | undefined> {
  const found = await rowsFrom<CountedTicket & { isWrong: boolean }>(
    sql,
    tag`select t.company_id as "companyId", t.id, t.failed_messages <> ${failedIn} as "isWrong" from ${tickets} t
      where t.status <> 'closed' and (t.company_id, t.id) > (${companyId}, ${id})
      order by t.company_id, t.id limit ${AT_ONCE}`,
  )
  const wrong = found.filter(({ isWrong }) => isWrong)
  if (wrong.length > 0) await correct(sql, wrong)
  return found.at(-1)
}

/** Only these are locked: actions on tickets with a correct count do not wait. */
async function correct(sql: Sql, wrong: CountedTicket[]) {
  const listed = tag`json_to_recordset(${JSON.stringify(wrong)}) as l("companyId" int, id int)`
  await sql.execute(tag`select from ${tickets} t join ${listed} on t.company_id = l."companyId" and t.id = l.id
    order by t.company_id, t.id for update of t`)
  // a statement of its own sees what was committed while the locks were waited for
  await sql.execute(tag`update ${tickets} t set failed_messages = ${failedIn}, version = t.version + 1 from ${listed}
    where t.company_id = l."companyId" and t.id = l.id and t.failed_messages <> ${failedIn}`)
}
