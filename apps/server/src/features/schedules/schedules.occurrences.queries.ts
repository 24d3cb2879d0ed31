import type { ErrorCode } from '@balcao/contract/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, preparedText } from '../../platform/postgres/prepared.ts'
import { and, asc, desc, eq, isNotNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { dueAtWork } from '../companies/companies.status.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { isConnected } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { isoOf, own, type ScheduleRow } from './schedules.queries.ts'
import type { SeriesPosition } from './schedules.run.worker.ts'
import { scheduleOccurrences, schedules } from './schedules.table.ts'

type NewOccurrence = Pick<typeof scheduleOccurrences.$inferInsert, 'scheduleId' | 'at' | 'state' | 'late'>

/** Inserts an occurrence, the cause of one message; false when it exists. */
export async function recordOccurrence(tx: Tx, occurrence: NewOccurrence): Promise<boolean> {
  const rows = await tx.sql
    .insert(scheduleOccurrences)
    .values({ ...occurrence, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning({ at: scheduleOccurrences.at })
  return rows.length > 0
}

export async function hasOccurrence(tx: Tx, scheduleId: number, at: string): Promise<boolean> {
  const [row] = await tx.sql
    .select({ at: scheduleOccurrences.at })
    .from(scheduleOccurrences)
    .where(
      and(
        eq(scheduleOccurrences.companyId, tx.companyId),
        eq(scheduleOccurrences.scheduleId, scheduleId),
        eq(scheduleOccurrences.at, at),
      ),
    )
  return row !== undefined
}

/** A message in the outbox, or the reason why not. */
export type OccurrenceOutcome = { messageId: string; ticketId: number } | { reason: ErrorCode }

export const noteOutcome = (
  tx: Tx,
  { scheduleId, at }: { scheduleId: number; at: string },
  outcome: OccurrenceOutcome,
) =>
  tx.sql
    .update(scheduleOccurrences)
    .set('reason' in outcome ? { ...outcome, state: 'failed' } : { ...outcome, state: 'waiting', reason: '' })
    .where(
      and(
        eq(scheduleOccurrences.companyId, tx.companyId),
        eq(scheduleOccurrences.scheduleId, scheduleId),
        eq(scheduleOccurrences.at, at),
      ),
    )

/** Moves a schedule to its next occurrence, or to its last when it is over. */
export const planNext = (
  tx: Tx,
  before: ScheduleRow,
  { number, at }: SeriesPosition,
  { goesOn }: { goesOn: boolean },
) =>
  tx.sql
    .update(schedules)
    .set({
      number,
      sendAt: at,
      nextAt: goesOn ? at : null,
      repeatCounter: before.repeatCounter && before.repeatCounter - (number - before.number),
    })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.id, before.id)))

/** The newest occurrence. */
export async function lastOccurrence(tx: Tx, scheduleId: number) {
  const [row] = await tx.sql
    .select()
    .from(scheduleOccurrences)
    .where(
      and(eq(scheduleOccurrences.companyId, tx.companyId), eq(scheduleOccurrences.scheduleId, scheduleId)),
    )
    .orderBy(desc(scheduleOccurrences.at))
    .limit(1)
  return row ?? null
}

/** Older occurrences fail as too late. */
const LATEST = tag`interval '24 hours'`

/** Due schedules of all companies, the longest due first. One waits for its connection until it is too late, but not for a deleted one. */
export function dueSchedules(sql: Sql, most: number, passed: number[] = []) {
  const { companyId, id, nextAt } = schedules
  const ofConnection = and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, schedules.whatsappId))
  const isReady = tag`(${mayLeave} or ${isTooLate})`
  const ofCompany = sql
    .select({ companyId, id, nextAt })
    .from(schedules)
    .leftJoin(whatsapps, ofConnection)
    .where(and(eq(companyId, companies.id), isDue, isReady, outside(companyId, passed)))
    .orderBy(asc(nextAt))
    .limit(most)
  // from its index alone: those that rest may be many
  const first = (limit: number) =>
    sql
      .select({ companyId, id, nextAt })
      .from(schedules)
      .where(and(isDue, outside(companyId, passed)))
      .orderBy(asc(nextAt))
      .limit(limit)
  return sql
    .select({ companyId: tag<number>`found.company_id`, id: tag<number>`found.id` })
    .from(
      dueAtWork({
        early: first,
        ofEach: ofCompany,
        also: eq(companies.enableSchedules, true),
        ready: tag`exists (select from ${schedules} left join ${whatsapps} on ${ofConnection}
          where ${companyId} = early.company_id and ${id} = early.id and ${isReady})`,
      }),
    )
    .orderBy(tag`found.next_at`, tag`found.company_id`, tag`found.id`)
    .limit(most)
}

const isDue = and(isNotNull(schedules.nextAt), tag`${schedules.nextAt} <= now()`)

const isTooLate = tag<boolean>`${schedules.nextAt} < now() - ${LATEST}`

const mayLeave = tag`(${schedules.whatsappId} is null or ${isConnected})`

/** A due schedule, locked; null when another worker has it or had it. */
export async function claimDue(tx: Tx, scheduleId: number) {
  const [row] = await tx.sql
    .select({
      schedule: schedules,
      now: isoOf(tag`now()`),
      tooLateBefore: isoOf(tag`now() - ${LATEST}`),
    })
    .from(schedules)
    .where(and(own(tx, scheduleId), isDue))
    .for('update', { skipLocked: true })
  return row ?? null
}

/** Sets the states of the occurrences of messages. Answers the schedules of those that changed, by message. */
export async function settleByMessages(
  tx: Tx,
  outcomes: { messageId: string; state: 'sent' | 'failed'; reason: string }[],
): Promise<Map<string, number>> {
  const rows = await settleRows(tx.sql, {
    companyId: tx.companyId,
    messageIds: outcomes.map(({ messageId }) => messageId),
    states: outcomes.map(({ state }) => state),
    reasons: outcomes.map(({ reason }) => reason),
  })
  return new Map(rows.map(({ messageId, scheduleId }) => [messageId, scheduleId]))
}

const settleRows = preparedText<{ messageId: string; scheduleId: number }>(
  () => tag`update ${scheduleOccurrences} o set state = n.state, reason = n.reason
  from unnest(${given('messageIds')}::uuid[], ${given('states')}::text[], ${given('reasons')}::text[])
    as n (message_id, state, reason)
  where o.company_id = ${given('companyId')} and o.message_id = n.message_id and o.state <> n.state
  returning o.message_id as "messageId", o.schedule_id as "scheduleId"`,
)

/** A schedule without a next occurrence has the status of its last. */
export const setStatusAfter = (tx: Tx, scheduleId: number, state: 'sent' | 'failed') =>
  tx.sql
    .update(schedules)
    .set({
      status: tag`case when ${schedules.nextAt} is null then ${state === 'sent' ? 'ENVIADA' : 'PENDENTE'} else 'PENDENTE' end`,
      ...(state === 'sent' && { sentAt: tag`now()` }),
    })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.id, scheduleId)))
