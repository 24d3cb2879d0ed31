import { databaseTime } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNotNull, or, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { inboundEvents } from '../messages/messages.log.table.ts'

/** Records the result of handling a row again; one whose file is missing waits for the owner of its connection. */
export async function settle(
  tx: Tx,
  logId: number,
  { missing, ...result }: { ticketId: number | null; spentMs: number; failure: string; missing: boolean },
) {
  const handledAt = missing ? null : databaseTime()
  // a failure leaves a waiting row waiting
  const ended = result.failure ? {} : { attempts: 0, handledAt, dueAt: tag`now()` }
  const [row] = await tx.sql
    .update(inboundEvents)
    .set({ ...result, ...ended })
    .where(and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.id, logId)))
    .returning()
  return row!
}

const KEPT_DAYS = 30
const FAILED_KEPT_DAYS = 90
/** Rows deleted in one transaction. */
const AT_ONCE = 5_000

/** Deletes old handled rows of a company, a batch at a time. Returns how many; 0 when none is left. */
export async function deleteOldLogs(tx: Tx): Promise<number> {
  const age = (days: number) => tag`${inboundEvents.receivedAt} < now() - ${`${days} days`}::interval`
  const old = tx.sql
    .select({ id: inboundEvents.id })
    .from(inboundEvents)
    .where(
      and(
        eq(inboundEvents.companyId, tx.companyId),
        age(KEPT_DAYS),
        isNotNull(inboundEvents.handledAt),
        or(eq(inboundEvents.failure, ''), age(FAILED_KEPT_DAYS)),
      ),
    )
    .orderBy(inboundEvents.receivedAt)
    .limit(AT_ONCE)
  const deleted = await tx.sql
    .delete(inboundEvents)
    .where(and(eq(inboundEvents.companyId, tx.companyId), inArray(inboundEvents.id, old)))
    .returning({ id: inboundEvents.id })
  return deleted.length
}

export interface LogPosition {
  companyId: number
  id: number
}
export const START: LogPosition = { companyId: 0, id: 0 }

/** Deletes the next handled rows after a position; `last` is null when there is none. In one statement, which returns only a count. */
export async function deleteAfter(
  sql: Sql,
  { companyId, id }: LogPosition,
): Promise<{ many: number; last: LogPosition | null }> {
  const [row] = await rowsFrom<{ many: number; last: LogPosition | null }>(
    sql,
    tag`with next as (
        select company_id, id from inbound_events
        where (company_id, id) > (${companyId}::int, ${id}::bigint) and handled_at is not null
        order by company_id, id limit ${AT_ONCE}
      ), gone as (
        delete from inbound_events e using next where e.company_id = next.company_id and e.id = next.id returning 1
      )
      select (select count(*) from gone)::int as many,
        (select json_build_object('companyId', company_id, 'id', id) from next
          order by company_id desc, id desc limit 1) as last`,
  )
  return row!
}
