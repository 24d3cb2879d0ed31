import { randomUUID } from 'node:crypto'
import { repliesAreOver } from '@balcao/contract/cloud.rules.ts'
import { filled } from '@balcao/contract/placeholders.rules.ts'
import type { DueTools } from '../../platform/due.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../connections/connections.queries.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { placeholders } from '../messages/messages.greetings.ts'
import { reaches } from '../tickets/tickets.checks.ts'
import { ensureKept } from '../tickets/tickets.open.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { repliesUntilOn } from '../tickets/tickets.window.ts'
import { schedulesChanged } from './schedules.events.ts'
import { newestDue, noteOutcome, type OccurrenceOutcome, planNext, takeOccurrence } from './schedules.plan.ts'
import { claimDue, dueSchedules, ownerOf, type ScheduleRow } from './schedules.queries.ts'

/** So many are looked at before it is looked again. */
const AT_ONCE = 100
/** What leaves so long after its time is marked late. */
const LATE_MS = 60_000

/** What is due leaves, each in a commit of its own. True when more may wait. */
export async function sendDueSchedules({ scopes, log, stopping }: DueTools): Promise<boolean> {
  const due = await scopes.platform().transaction(sql => dueSchedules(sql, AT_ONCE))
  let sent = 0
  for (const { companyId, id } of due) {
    if (stopping()) return false
    try {
      if (await sendOccurrence(scopes.inCompany(companyId), id)) sent++
    } catch (error) {
      log.error(
        { err: error, companyId, scheduleId: id },
        'a schedule could not be sent: it is looked at again',
      )
    }
  }
  return due.length === AT_ONCE && sent > 0
}

/** What of one company is due leaves. Answers how many. */
export async function sendSchedulesOf(scope: Scope): Promise<number> {
  let sent = 0
  for (const { id } of await scope.read(tx => dueSchedules(tx.sql, AT_ONCE)))
    if (await sendOccurrence(scope, id)) sent++
  return sent
}

/**
 * One commit: this occurrence is a row, its message is in the outbox or the row says why not, and the next one is
 * planned. False when another worker has it or had it.
 */
export const sendOccurrence = (scope: Scope, scheduleId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const claimed = await claimDue(tx, scheduleId)
    if (!claimed) return false
    const { schedule, now, tooLateBefore } = claimed
    const { due, skipped, next } = await newestDue(tx, schedule, now)
    const isTooLate = due.at < tooLateBefore
    if (!isTooLate && !(await leavesNow(tx, schedule))) return false
    const late = Date.parse(now) - Date.parse(due.at) > LATE_MS
    if (await takeOccurrence(tx, { scheduleId, at: due.at, state: 'waiting', late })) {
      const said: OccurrenceOutcome = isTooLate
        ? { reason: 'ERR_SCHEDULE_TOO_LATE' }
        : await saySchedule(tx, schedule)
      await noteOutcome(tx, { scheduleId, at: due.at }, said)
    }
    for (const at of skipped) await takeOccurrence(tx, { scheduleId, at, state: 'skipped', late })
    await planNext(tx, schedule, next ?? due, next !== null)
    tx.emit(schedulesChanged, { action: 'update', scheduleIds: [scheduleId], contactId: schedule.contactId })
    return true
  })

/** A connection that is down is waited for; one that was removed is not. */
const leavesNow = async (tx: Tx, { whatsappId }: ScheduleRow) =>
  whatsappId === null || (await connectionsUnderWay(tx)).includes(whatsappId)

/**
 * Puts the message in the outbox of its connection, on the living ticket of the contact there, else on a closed one of
 * its queue: it disturbs no queue, and an answer opens a ticket as first words do. OccurrenceOutcome in the name of who made it.
 */
export async function saySchedule(tx: Tx, schedule: ScheduleRow): Promise<OccurrenceOutcome> {
  const { contactId, whatsappId, queueId, userId } = schedule
  if (whatsappId === null) return { reason: 'ERR_NO_WAPP_FOUND' }
  if (!(await reaches(tx, contactId, whatsappId))) return { reason: 'ERR_WAPP_INVALID_CONTACT' }
  if (!(await connectionsUnderWay(tx)).includes(whatsappId)) return { reason: await whyNotUnderWay(tx) }
  if (repliesAreOver(await repliesUntilOn(tx, contactId, whatsappId), Date.now()))
    return { reason: 'ERR_WAPP_WINDOW_CLOSED' }
  const ticketId = await ensureKept(tx, await findContact(tx, contactId), whatsappId, { queueId, userId })
  const ticket = (await loadTicket(tx, ticketId))!
  const by = await ownerOf(tx, userId)
  const { body, mediaType, mediaUrl, media } = schedule
  const message = await post(
    tx,
    {
      id: randomUUID(),
      ticketId,
      contactId,
      whatsappId,
      source: 'schedule',
      userId,
      body: filled(body, await placeholders(tx, ticket, by)),
      mediaType,
      mediaUrl,
      media,
      createdAt: new Date().toISOString(),
    },
    // who waits for an answer still does
    ticket.waitingSince === null ? 'answer' : 'aside',
  )
  return { messageId: message.id, ticketId }
}
