import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, isNull, lt, sql as tag } from '../../platform/sql.ts'
import { inboundEvents } from './messages.table.ts'

/** After so many failures a row waits for somebody to look at it. */
const MAX_ATTEMPTS = 8

type NewRow = typeof inboundEvents.$inferInsert

/** Notes what was heard; a row that waits becomes handled, one that was handled stays as it is. Answers what changed. */
export const writeInbound = (tx: Tx, rows: NewRow[]) =>
  rows.length === 1 ? insertOne(tx.sql, rows[0]!) : insert(tx.sql, rows)

const insertOne = prepared(sql => {
  const columns = [
    'companyId',
    'whatsappId',
    'key',
    'chat',
    'heard',
    'ticketId',
    'spentMs',
    'handledAt',
    'failure',
  ]
  return insert(sql, [Object.fromEntries(columns.map(column => [column, given(column)])) as never as NewRow])
})

const insert = (sql: Sql, rows: NewRow[]) =>
  sql
    .insert(inboundEvents)
    .values(rows)
    .onConflictDoUpdate({
      target: [inboundEvents.companyId, inboundEvents.whatsappId, inboundEvents.key],
      set: {
        handledAt: tag`excluded.handled_at`,
        ticketId: tag`excluded.ticket_id`,
        spentMs: tag`excluded.spent_ms`,
        failure: '',
      },
      setWhere: tag`${inboundEvents.handledAt} is null and excluded.handled_at is not null`,
    })
    .returning()

/** What was only written down, oldest first. */
export const unhandledInbound = (tx: Tx, whatsappId: number) =>
  unhandled(tx.sql, { companyId: tx.companyId, whatsappId })

const unhandled = prepared(sql =>
  sql
    .select()
    .from(inboundEvents)
    .where(
      and(
        eq(inboundEvents.companyId, given('companyId')),
        eq(inboundEvents.whatsappId, given('whatsappId')),
        isNull(inboundEvents.handledAt),
        lt(inboundEvents.attempts, MAX_ATTEMPTS),
      ),
    )
    .orderBy(asc(inboundEvents.id))
    .limit(500),
)

/** Counts a try that failed, and says why. */
export const noteFailure = (tx: Tx, id: number, error: unknown) =>
  tx.sql
    .update(inboundEvents)
    .set({ attempts: tag`${inboundEvents.attempts} + 1`, failure: String(error).slice(0, 500) })
    .where(and(eq(inboundEvents.companyId, tx.companyId), eq(inboundEvents.id, id)))
    .returning()
