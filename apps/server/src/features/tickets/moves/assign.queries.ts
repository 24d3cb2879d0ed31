import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { TicketState } from '../tickets.events.ts'
import { tickets } from '../tickets.table.ts'

/** A ticket that moved, and its state before. */
export type Shifted = TicketState & { id: number }

/** Opens those that still wait without a user, by one statement, in the order of ids: two of them at once cannot deadlock. */
export const openForUsers = (tx: Tx, given: { ticketId: number; userId: number }[]): Promise<Shifted[]> =>
  rowsFrom<Shifted>(
    tx.sql,
    tag`with waiting as (
        select t.id, n."userId" from ${tickets} t join json_to_recordset(${JSON.stringify(given)}) n("ticketId" int, "userId" int)
          on n."ticketId" = t.id
        where t.company_id = ${tx.companyId} and t.status = 'pending' and t.user_id is null and not t.with_bot
          and t.snoozed_until is null
        order by t.id for update of t)
      update ${tickets} t set status = 'open', user_id = w."userId", version = t.version + 1, updated_at = now()
      from waiting w where t.company_id = ${tx.companyId} and t.id = w.id
      returning t.id, 'pending' as status, t.queue_id as "queueId", null::int as "userId"`,
  )

/** The same back: those that the user still has, and whose customer still waits. */
export const waitAgain = (tx: Tx, given: { id: number; userId: number }[]): Promise<Shifted[]> =>
  rowsFrom<Shifted>(
    tx.sql,
    tag`with left_alone as (
        select t.id, t.user_id from ${tickets} t join json_to_recordset(${JSON.stringify(given)}) n(id int, "userId" int)
          on n.id = t.id and n."userId" = t.user_id
        where t.company_id = ${tx.companyId} and t.status = 'open' and t.waiting_since is not null
          and t.snoozed_until is null
        order by t.id for update of t)
      update ${tickets} t set status = 'pending', user_id = null, version = t.version + 1, updated_at = now()
      from left_alone l where t.company_id = ${tx.companyId} and t.id = l.id
      returning t.id, 'open' as status, t.queue_id as "queueId", l.user_id as "userId"`,
  )
