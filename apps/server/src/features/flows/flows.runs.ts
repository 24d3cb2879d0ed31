import type { FlowRun } from '@balcao/contract/flows.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, isNull, lte, sql as tag } from '../../platform/sql.ts'
import { flowRuns } from './flows.table.ts'

type Row = typeof flowRuns.$inferSelect

/** So many are ended in one look. */
export const RUNS_AT_ONCE = 100

/** The flow that is played on a ticket: of several that bots began one behind the other, the first. */
export async function runningOn(tx: Tx, ticketId: number): Promise<FlowRun | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(unended(tx, ticketId))
    .orderBy(flowRuns.startedAt, flowRuns.id)
    .limit(1)
  return row ? shownRun(row) : null
}

export async function insertRun(
  tx: Tx,
  values: Omit<typeof flowRuns.$inferInsert, 'companyId'>,
): Promise<FlowRun> {
  const [row] = await tx.sql
    .insert(flowRuns)
    .values({ ...values, companyId: tx.companyId })
    .returning()
  return shownRun(row!)
}

/** What this cause began, also when it is over. */
export async function runOrNull(tx: Tx, cause: string): Promise<FlowRun | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.cause, cause)))
  return row ? shownRun(row) : null
}

/** Ends every flow of a ticket. True when one was played. */
export async function endRuns(tx: Tx, ticketId: number): Promise<boolean> {
  const ended = await tx.sql
    .update(flowRuns)
    .set({ endedAt: tag`now()` })
    .where(unended(tx, ticketId))
    .returning({ id: flowRuns.id })
  return ended.length > 0
}

export const moveEnd = (tx: Tx, runId: number, endsAt: string) =>
  tx.sql.update(flowRuns).set({ endsAt }).where(one(tx, runId))

export const endRun = (tx: Tx, runId: number) =>
  tx.sql.update(flowRuns).set({ endedAt: tag`now()` }).where(one(tx, runId))

/** A flow whose time is over, unless another worker has it. */
export async function lockOver(tx: Tx, runId: number): Promise<Row | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(and(one(tx, runId), isNull(flowRuns.endedAt), lte(flowRuns.endsAt, tag`now()`)))
    .for('update', { skipLocked: true })
  return row ?? null
}

/** Flows of all companies whose time is over. */
export const runsOver = (sql: Sql) =>
  sql
    .select({ companyId: flowRuns.companyId, id: flowRuns.id })
    .from(flowRuns)
    .where(and(isNull(flowRuns.endedAt), lte(flowRuns.endsAt, tag`now()`)))
    .orderBy(flowRuns.endsAt)
    .limit(RUNS_AT_ONCE)

const one = (tx: Tx, runId: number) => and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.id, runId))

const unended = (tx: Tx, ticketId: number) =>
  and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.ticketId, ticketId), isNull(flowRuns.endedAt))

const shownRun = ({ id, ticketId, name, userId, userName, startedAt, endsAt }: Row): FlowRun => ({
  id,
  ticketId,
  name,
  user: userId === null ? null : { id: userId, name: userName },
  startedAt,
  endsAt,
})
