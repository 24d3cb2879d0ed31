import type { ErrorCode } from '@balcao/contract/errors.ts'
import { nextOccurrences } from '@balcao/contract/schedules.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import type { ScheduleRow } from './schedules.queries.ts'
import { scheduleOccurrences, schedules } from './schedules.table.ts'
import { momentsOf } from './schedules.times.ts'

/** So many of a series are reckoned at once: a year of weeks. */
const STRETCH = 52

interface Place {
  number: number
  at: string
}

/**
 * Of all that fell due by now the newest, which is sent; those before it, which are not; and the next one, null when
 * there is none.
 */
export async function newestDue(tx: Tx, schedule: ScheduleRow, now: string) {
  const { typeSchedule, firstAt, number, sendAt, repeatCounter } = schedule
  const total = repeatCounter === null ? null : number + repeatCounter
  const rhythm = { typeSchedule, firstAt, repeatCounter: total }
  const skipped: string[] = []
  let due: Place = { number, at: sendAt }
  for (;;) {
    const moments = await momentsOf(tx, nextOccurrences(rhythm, due.number, STRETCH))
    for (const at of moments) {
      const place = { number: due.number + 1, at }
      if (at > now) return { due, skipped, next: place }
      skipped.push(due.at)
      due = place
    }
    if (moments.length < STRETCH) return { due, skipped, next: null }
  }
}

type Taken = Pick<typeof scheduleOccurrences.$inferInsert, 'scheduleId' | 'at' | 'state' | 'late'>

/** The row that is the cause of one message; false when it is there already, whoever wrote it. */
export async function takeOccurrence(tx: Tx, taken: Taken): Promise<boolean> {
  const rows = await tx.sql
    .insert(scheduleOccurrences)
    .values({ ...taken, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning({ at: scheduleOccurrences.at })
  return rows.length > 0
}

/** Whether something left at that moment, or was tried. */
export async function wasTaken(tx: Tx, scheduleId: number, at: string): Promise<boolean> {
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

/** What became of it: a message in the outbox, or a reason. */
export type OccurrenceOutcome = { messageId: string; ticketId: number } | { reason: ErrorCode }

export const noteOutcome = (
  tx: Tx,
  { scheduleId, at }: { scheduleId: number; at: string },
  said: OccurrenceOutcome,
) =>
  tx.sql
    .update(scheduleOccurrences)
    .set('reason' in said ? { ...said, state: 'failed' } : { ...said, state: 'waiting', reason: '' })
    .where(
      and(
        eq(scheduleOccurrences.companyId, tx.companyId),
        eq(scheduleOccurrences.scheduleId, scheduleId),
        eq(scheduleOccurrences.at, at),
      ),
    )

/** The schedule stands at this place now: where it goes on, or where it ended. */
export const planNext = (tx: Tx, before: ScheduleRow, { number, at }: Place, goesOn: boolean) =>
  tx.sql
    .update(schedules)
    .set({
      number,
      sendAt: at,
      nextAt: goesOn ? at : null,
      repeatCounter: before.repeatCounter && before.repeatCounter - (number - before.number),
    })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.id, before.id)))
