import type { QueueTargets, TargetKind } from '@balcao/contract/targets.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, eq, gt, lte, ne, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { queueTargets as goals, targetOutcomes as outcomes } from './targets.table.ts'

const UNSET: QueueTargets = {
  firstReplyMinutes: null,
  replyMinutes: null,
  resolutionMinutes: null,
  withinHours: true,
  moveToQueueId: null,
}

const ofQueue = (tx: Tx, queueId: number) =>
  and(eq(goals.companyId, tx.companyId), eq(goals.queueId, queueId))

/** The targets of a queue; all null where it has none. */
export async function targetsOfQueue(tx: Tx, queueId: number): Promise<QueueTargets> {
  const {
    companyId: _company,
    queueId: _queue,
    revision: _revision,
    ...shown
  } = (await goalOr(tx, queueId)) ?? {
    ...{ ...UNSET, companyId: 0, queueId, revision: 0 },
  }
  return shown
}

async function goalOr(tx: Tx, queueId: number) {
  const [row] = await tx.sql.select().from(goals).where(ofQueue(tx, queueId))
  return row ?? null
}

export const upsertTargets = (tx: Tx, queueId: number, values: QueueTargets) =>
  tx.sql
    .insert(goals)
    .values({ companyId: tx.companyId, queueId, ...values })
    .onConflictDoUpdate({
      target: [goals.companyId, goals.queueId],
      set: { ...values, revision: tag`${goals.revision} + 1` },
    })

/** Tickets no longer move to a queue that is deleted. */
export const forgetMoveTo = (tx: Tx, queueId: number) =>
  tx.sql
    .update(goals)
    .set({ moveToQueueId: null })
    .where(and(eq(goals.companyId, tx.companyId), eq(goals.moveToQueueId, queueId)))

/** The targets that are counted within hours that changed, of one queue or of all, are of a newer revision. Returns their queues. */
export async function raiseRevisions(tx: Tx, queueId: number | null): Promise<number[]> {
  const rows = await tx.sql
    .update(goals)
    .set({ revision: tag`${goals.revision} + 1` })
    .where(
      and(
        eq(goals.companyId, tx.companyId),
        goals.withinHours,
        queueId === null ? undefined : eq(goals.queueId, queueId),
      ),
    )
    .returning({ queueId: goals.queueId })
  return rows.map(row => row.queueId)
}

/**
 * The first tickets of a queue behind `after`, not closed, whose clocks are of an older revision: their trigger sets them
 * anew. Returns their ids in order.
 */
export async function setAnew(tx: Tx, queueId: number, after: number, most: number): Promise<number[]> {
  const old = tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .innerJoin(goals, and(eq(goals.companyId, tickets.companyId), eq(goals.queueId, tickets.queueId)))
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.queueId, queueId),
        ne(tickets.status, 'closed'),
        eq(tickets.isGroup, false),
        gt(tickets.id, after),
        tag`${tickets.targets}->>'rev' is distinct from ${goals.revision}::text`,
      ),
    )
    .orderBy(asc(tickets.id))
    .limit(most)
    .for('update', { of: tickets })
  const rows = await tx.sql
    .update(tickets)
    .set({
      targetTurnAt: tag`coalesce(${tickets.targetTurnAt}, now()) - interval '1 second'`,
      version: raised,
    })
    .where(and(eq(tickets.companyId, tx.companyId), tag`${tickets.id} in ${old}`))
    .returning({ id: tickets.id })
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

const raised = tag`${tickets.version} + 1`

/** The tickets that have to be looked at: one of their clocks is over, or their hours begin or end. */
export const turnsDue = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: tickets.companyId, ticketId: tickets.id })
    .from(tickets)
    .where(and(lte(tickets.targetTurnAt, tag`now()`), outside(tickets.companyId, passed)))
    .orderBy(tickets.targetTurnAt)
    .limit(most)

/** The trigger of the ticket looks at its clocks. False when it is not due. */
export async function turnClocks(tx: Tx, ticketId: number): Promise<boolean> {
  const rows = await tx.sql
    .update(tickets)
    .set({ targetTurnAt: null, version: raised })
    .where(and(oneTicket(tx, ticketId), lte(tickets.targetTurnAt, tag`now()`)))
    .returning({ id: tickets.id })
  return rows.length > 0
}

const oneTicket = (tx: Tx, ticketId: number) =>
  and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId))

export interface MissedNow {
  id: number
  kind: TargetKind
  queueId: number
  userId: number
  dueAt: string | null
  at: string
}

/** What a ticket missed that was not announced, each once. */
export async function takeMissed(tx: Tx, ticketId: number): Promise<MissedNow[]> {
  const { id, kind, queueId, userId, dueAt, at } = outcomes
  const rows = await tx.sql
    .update(outcomes)
    .set({ announced: true })
    .where(
      and(
        eq(outcomes.companyId, tx.companyId),
        eq(outcomes.ticketId, ticketId),
        eq(outcomes.kept, false),
        eq(outcomes.announced, false),
      ),
    )
    .returning({ id, kind, queueId, userId, dueAt, at })
  if (rows.length > 0)
    await tx.sql
      .update(tickets)
      .set({ targets: tag`${tickets.targets} - 'announce'`, version: raised })
      .where(oneTicket(tx, ticketId))
  return rows
}

/** Where a ticket moves that missed a target of this queue; null for nowhere, and where it was in that queue before. */
export async function escalationOf(tx: Tx, ticketId: number, queueId: number): Promise<number | null> {
  const [row] = await rowsFrom<{ to: number }>(
    tx.sql,
    tag`select g.move_to_queue_id as to from queue_targets g
      where g.company_id = ${tx.companyId} and g.queue_id = ${queueId} and g.move_to_queue_id <> ${queueId}
        and not exists (select from ticket_history h where h.company_id = g.company_id and h.ticket_id = ${ticketId}
          and g.move_to_queue_id in (h.from_queue_id, h.to_queue_id))`,
  )
  return row?.to ?? null
}

/** A closing that is taken back takes its outcome with it: the clocks go on as they were. */
export async function takeBackClosing(tx: Tx, ticketId: number): Promise<void> {
  await tx.sql.execute(tag`delete from target_outcomes o using tickets t
    where t.company_id = ${tx.companyId} and t.id = ${ticketId} and o.company_id = t.company_id
      and t.targets #>> '{before,resolution,state}' <> 'missed'
      and o.id = (select max(l.id) from target_outcomes l
        where l.company_id = t.company_id and l.ticket_id = t.id and l.kind = 'resolution')`)
  await tx.sql.execute(tag`update tickets set targets = targets->'before', version = version + 1
    where company_id = ${tx.companyId} and id = ${ticketId} and jsonb_typeof(targets->'before') = 'object'`)
}

/** For who reads a report: rows of outcomes in a range. */
export const outcomesIn = (
  tx: Tx,
  { from, until, queueIds, userIds }: { from: string; until: string; queueIds: number[]; userIds: number[] },
): SQL | undefined =>
  and(
    eq(outcomes.companyId, tx.companyId),
    tag`${outcomes.at} between ${from}::timestamptz and ${until}::timestamptz`,
    queueIds.length > 0 ? tag`${outcomes.queueId} in ${queueIds}` : undefined,
    userIds.length > 0 ? tag`${outcomes.userId} in ${userIds}` : undefined,
  )
