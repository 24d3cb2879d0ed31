import type { InboundFile } from '../../../driver.ts'
import { and, asc, eq, isNotNull, lte, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { fromNow } from '../../../platform/work/leases.ts'
import { messages } from '../messages.table.ts'

/** Files of a connection that are due to be fetched. */
export const filesDue = (tx: Tx, whatsappId: number) =>
  tx.sql
    .select({
      id: messages.id,
      media: tag<InboundFile>`${messages.media}`,
      source: tag<string>`${messages.mediaSource}`,
      attempts: messages.mediaAttempts,
    })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        lte(messages.mediaDue, tag`now()`),
        isNotNull(messages.mediaSource),
      ),
    )
    .orderBy(asc(messages.mediaDue), asc(messages.position))
    .limit(100)

/** Schedules the next try of a file that could not be fetched. */
export const postponeFile = (tx: Tx, messageId: string, mediaAttempts: number, inMs: number) =>
  tx.sql
    .update(messages)
    .set({ mediaAttempts, mediaDue: fromNow(inMs) })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
