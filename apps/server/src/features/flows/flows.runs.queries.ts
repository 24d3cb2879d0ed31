import type { FlowRun } from '@balcao/contract/flows.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, statement } from '../../platform/postgres/prepared.ts'
import { and, eq, isNull, lte, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { flowRuns } from './flows.table.ts'

type RunRow = typeof flowRuns.$inferSelect

/** The first running flow of a ticket; bots may start several in a row. */
export async function runningOn(tx: Tx, ticketId: number): Promise<FlowRun | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(unended(tx, ticketId))
    .orderBy(flowRuns.startedAt, flowRuns.id)
    .limit(1)
  return row ? shownRun(row) : null
}

/** Those of the tickets on which a flow runs. */
export const ticketsWithRun = statement(
  sql =>
    sql
      .selectDistinct({ ticketId: flowRuns.ticketId })
      .from(flowRuns)
      .where(
        and(
          eq(flowRuns.companyId, given('companyId')),
          tag`${flowRuns.ticketId} = any(${given('ticketIds')}::int[])`,
          isNull(flowRuns.endedAt),
        ),
      )
      .orderBy(flowRuns.ticketId),
  (ticketIds: number[]) => ({ ticketIds }),
)

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

/** The run of a cause, also when it is over. */
export async function runOrNull(tx: Tx, cause: string): Promise<FlowRun | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.cause, cause)))
  return row ? shownRun(row) : null
}

/** Ends all flows of a ticket. True when one was running. */
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

/** A flow that is over, locked; null when another worker has it. */
export async function lockOver(tx: Tx, runId: number): Promise<RunRow | null> {
  const [row] = await tx.sql
    .select()
    .from(flowRuns)
    .where(and(one(tx, runId), isNull(flowRuns.endedAt), lte(flowRuns.endsAt, tag`now()`)))
    .for('update', { skipLocked: true })
  return row ?? null
}

/** Flows of all companies that are over. */
export const runsOver = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: flowRuns.companyId, id: flowRuns.id })
    .from(flowRuns)
    .where(
      and(isNull(flowRuns.endedAt), lte(flowRuns.endsAt, tag`now()`), outside(flowRuns.companyId, passed)),
    )
    .orderBy(flowRuns.endsAt)
    .limit(most)

const one = (tx: Tx, runId: number) => and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.id, runId))

const unended = (tx: Tx, ticketId: number) =>
  and(eq(flowRuns.companyId, tx.companyId), eq(flowRuns.ticketId, ticketId), isNull(flowRuns.endedAt))

const shownRun = ({ id, ticketId, name, userId, userName, startedAt, endsAt }: RunRow): FlowRun => ({
  id,
  ticketId,
  name,
  user: userId === null ? null : { id: userId, name: userName },
  startedAt,
  endsAt,
})

// their messages stay
export const flowLifetimes = [lifetime(flowRuns, flowRuns.endedAt, 90)]
