import { FAILED } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Schedule } from '@balcao/contract/schedules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { lockMessage } from '../messages/messages.queries.ts'
import { leaveAgain } from '../messages/outbox/outbox.actions.ts'
import { lockOwn, publishSchedule } from './schedules.actions.ts'
import { schedulesChanged } from './schedules.events.ts'
import {
  lastOccurrence,
  noteOutcome,
  setStatusAfter,
  settleByMessages,
} from './schedules.occurrences.queries.ts'
import { findSchedule } from './schedules.queries.ts'
import { sendSchedule } from './schedules.run.worker.ts'

/** Messages of occurrences were sent or refused; the last occurrence ends its schedule. */
export async function settleOccurrences(tx: Tx, messages: Message[]): Promise<void> {
  const outcomes = messages.flatMap(({ id, source, ack, failReason: reason, contactId }) =>
    source === 'schedule'
      ? [
          {
            messageId: id,
            state: ack === FAILED ? ('failed' as const) : ('sent' as const),
            reason,
            contactId,
          },
        ]
      : [],
  )
  if (outcomes.length === 0) return
  const scheduleOf = await settleByMessages(tx, outcomes)
  for (const { messageId, state, contactId } of outcomes) {
    const scheduleId = scheduleOf.get(messageId)
    if (scheduleId === undefined) continue
    await setStatusAfter(tx, scheduleId, state)
    tx.emit(schedulesChanged, { action: 'update', scheduleIds: [scheduleId], contactId })
  }
}

/**
 * Sends the last occurrence again: its message, if the network refused it, else a new one. Refuses with ERR_NOT_FOUND,
 * ERR_NO_PERMISSION, ERR_SCHEDULE_NOT_FAILED, and with the reason why it would fail again.
 */
export const resendSchedule = (scope: Scope, scheduleId: number): Promise<Schedule> =>
  scope.transaction(async tx => {
    // locked before it is read: a second call sees that it is waiting already
    const schedule = await lockOwn(tx, scheduleId)
    const { last } = await findSchedule(tx, scheduleId)
    const occurrence = await lastOccurrence(tx, scheduleId)
    if (!occurrence || last?.state !== 'failed') return refuse('ERR_SCHEDULE_NOT_FAILED')
    const { at, messageId, ticketId } = occurrence
    const failed = messageId && (await lockMessage(tx, messageId))
    if (failed && failed.ack === FAILED && !failed.isDeleted && failed.whatsappId === schedule.whatsappId) {
      await leaveAgain(tx, failed)
      await noteOutcome(tx, { scheduleId, at }, { messageId, ticketId: ticketId! })
      return publishSchedule(tx, 'update', scheduleId)
    }
    const outcome = await sendSchedule(tx, schedule)
    if ('reason' in outcome) return refuse(outcome.reason)
    await noteOutcome(tx, { scheduleId, at }, outcome)
    return publishSchedule(tx, 'update', scheduleId)
  })
