import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull, or, sql as tag } from '../../platform/sql.ts'
import { inbox } from '../messages/messages.table.ts'

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
    .update(inbox)
    .set({ ...how, ...ended })
    .where(and(eq(inbox.companyId, tx.companyId), eq(inbox.id, logId)))
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
  const age = (days: number) => tag`${inbox.heardAt} < now() - ${`${days} days`}::interval`
  const old = tx.sql
    .select({ id: inbox.id })
    .from(inbox)
    .where(
      and(
        eq(inbox.companyId, tx.companyId),
        age(KEPT_DAYS),
        isNotNull(inbox.handledAt),
        or(eq(inbox.failure, ''), age(FAILED_KEPT_DAYS)),
      ),
    )
    .orderBy(inbox.heardAt)
    .limit(AT_ONCE)
  const gone = await tx.sql
    .delete(inbox)
    .where(and(eq(inbox.companyId, tx.companyId), inArray(inbox.id, old)))
    .returning({ id: inbox.id })
  return gone.length
}

export async function emptyLog(sql: Sql): Promise<number> {
  const gone = await sql.delete(inbox).where(isNotNull(inbox.handledAt)).returning({ id: inbox.id })
  return gone.length
}
