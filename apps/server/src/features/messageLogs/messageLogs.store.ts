import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, isNotNull } from '../../platform/sql.ts'
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

export async function emptyLog(sql: Sql): Promise<number> {
  const gone = await sql.delete(inbox).where(isNotNull(inbox.handledAt)).returning({ id: inbox.id })
  return gone.length
}
