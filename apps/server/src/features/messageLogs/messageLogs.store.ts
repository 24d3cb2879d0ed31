import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull, or, sql as tag } from '../../platform/sql.ts'
import { inboundEvents } from '../messages/messages.table.ts'

/** How handling a row again ended; one that still misses a file waits for the owner of its connection. */
export async function settle(
  tx: Tx,
  logId: number,
  { missing, ...how }: { ticketId: number | null; spentMs: number; failure: string; missing: boolean },
) {
  const handledAt = missing ? null : new Date().toISOString()
  // what failed stands as it stood: waiting, if it was
  const ended = how.failure ? {} : { attempts: 0, handledAt }
  const [row] = await tx.sql
    .update(inboundEvents)
    .set({ ...how, ...ended })
    .where(and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.id, logId)))
    .returning()
  return row!
}

const KEPT_DAYS = 30
/** What failed waits longer for somebody to look at it. */
const FAILED_KEPT_DAYS = 90
/** So few go with one commit that nobody waits for it. */
const AT_ONCE = 5_000

/** Takes old rows of a company out; those that wait to be handled stay. Answers how many, none when all are gone. */
export async function forgetOldLogs(tx: Tx): Promise<number> {
  const age = (days: number) => tag`${inboundEvents.heardAt} < now() - ${`${days} days`}::interval`
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
    .orderBy(inboundEvents.heardAt)
    .limit(AT_ONCE)
  const gone = await tx.sql
    .delete(inboundEvents)
    .where(and(eq(inboundEvents.companyId, tx.companyId), inArray(inboundEvents.id, old)))
    .returning({ id: inboundEvents.id })
  return gone.length
}

export async function emptyLog(sql: Sql): Promise<number> {
  const gone = await sql
    .delete(inboundEvents)
    .where(isNotNull(inboundEvents.handledAt))
    .returning({ id: inboundEvents.id })
  return gone.length
}
