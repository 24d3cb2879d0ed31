import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, isNull, lt, sql as tag } from '../../platform/sql.ts'
import { inbox } from './messages.table.ts'

/** After so many failures a row waits for somebody to look at it. */
const MAX_ATTEMPTS = 8

type NewRow = typeof inbox.$inferInsert

/** Notes what was heard; a row that waits becomes handled, one that was handled stays as it is. Answers what changed. */
export const writeJournal = (tx: Tx, rows: NewRow[]) =>
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
    .insert(inbox)
    .values(rows)
    .onConflictDoUpdate({
      target: [inbox.companyId, inbox.whatsappId, inbox.key],
      set: {
        handledAt: tag`excluded.handled_at`,
        ticketId: tag`excluded.ticket_id`,
        spentMs: tag`excluded.spent_ms`,
        failure: '',
      },
      setWhere: tag`${inbox.handledAt} is null and excluded.handled_at is not null`,
    })
    .returning()

/** What was only written down, oldest first. */
export const unhandledNews = (tx: Tx, whatsappId: number) =>
  unhandled(tx.sql, { companyId: tx.companyId, whatsappId })

const unhandled = prepared(sql =>
  sql
    .select()
    .from(inbox)
    .where(
      and(
        eq(inbox.companyId, given('companyId')),
        eq(inbox.whatsappId, given('whatsappId')),
        isNull(inbox.handledAt),
        lt(inbox.attempts, MAX_ATTEMPTS),
      ),
    )
    .orderBy(asc(inbox.id))
    .limit(500),
)

/** Counts a try that failed, and says why. */
export const noteFailure = (tx: Tx, id: number, error: unknown) =>
  tx.sql
    .update(inbox)
    .set({ attempts: tag`${inbox.attempts} + 1`, failure: String(error).slice(0, 500) })
    .where(and(eq(inbox.companyId, tx.companyId), eq(inbox.id, id)))
    .returning()
