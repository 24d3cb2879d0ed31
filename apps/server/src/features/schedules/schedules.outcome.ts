import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Schedule } from '@balcao/contract/schedules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, ne, sql as tag } from '../../platform/sql.ts'
import { leaveAgain } from '../messages/messages.actions.ts'
import { lockMessage } from '../messages/messages.queries.ts'
import { lockOwn, tellSchedule } from './schedules.actions.ts'
import { schedulesChanged } from './schedules.events.ts'
import { noteOutcome } from './schedules.plan.ts'
import { findSchedule, lastOccurrence } from './schedules.queries.ts'
import { saySchedule } from './schedules.run.ts'
import { scheduleOccurrences, schedules } from './schedules.table.ts'

/** The network took or refused the message of an occurrence; the last one ends its schedule. */
export async function settleOccurrence(tx: Tx, { id, ack, failReason, contactId }: Message): Promise<void> {
  const state = ack === FAILED ? 'failed' : 'sent'
  const [settled] = await tx.sql
    .update(scheduleOccurrences)
    .set({ state, reason: failReason })
    .where(
      and(
        eq(scheduleOccurrences.companyId, tx.companyId),
        eq(scheduleOccurrences.messageId, id),
        ne(scheduleOccurrences.state, state),
      ),
    )
    .returning({ scheduleId: scheduleOccurrences.scheduleId })
  if (!settled) return
  const ended = state === 'sent' ? 'ENVIADA' : 'PENDENTE'
  await tx.sql
    .update(schedules)
    .set({
      status: tag`case when ${schedules.nextAt} is null then ${ended} else 'PENDENTE' end`,
      ...(state === 'sent' && { sentAt: tag`now()` }),
    })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.id, settled.scheduleId)))
  tx.emit(schedulesChanged, { action: 'update', scheduleIds: [settled.scheduleId], contactId })
}

/**
 * Sends the last occurrence again: its message, when the network refused it, else a new one. Refuses with ERR_NOT_FOUND,
 * ERR_NO_PERMISSION, ERR_SCHEDULE_NOT_FAILED, and with the reason when it would fail again.
 */
export const resendSchedule = (scope: Scope, scheduleId: number): Promise<Schedule> =>
  scope.transaction(async tx => {
    // locked first: of two who ask at once the second must see that it leaves already
    const schedule = await lockOwn(tx, scheduleId)
    const { last } = await findSchedule(tx, scheduleId)
    const occurrence = await lastOccurrence(tx, scheduleId)
    if (!occurrence || last?.state !== 'failed') return refuse('ERR_SCHEDULE_NOT_FAILED')
    const { at, messageId, ticketId } = occurrence
    const failed = messageId && (await lockMessage(tx, messageId))
    if (failed && failed.ack === FAILED && !failed.isDeleted && failed.whatsappId === schedule.whatsappId) {
      await leaveAgain(tx, failed)
      await noteOutcome(tx, { scheduleId, at }, { messageId, ticketId: ticketId! })
      return tellSchedule(tx, 'update', scheduleId)
    }
    const said = await saySchedule(tx, schedule)
    if ('reason' in said) return refuse(said.reason)
    await noteOutcome(tx, { scheduleId, at }, said)
    return tellSchedule(tx, 'update', scheduleId)
  })
