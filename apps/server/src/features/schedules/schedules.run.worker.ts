import { randomUUID } from 'node:crypto'
import { filled } from '@balcao/contract/placeholders.rules.ts'
import { isOnWorkingDay, nextOccurrences, workCalendarOf } from '@balcao/contract/schedules.rules.ts'
import { AHEAD_YEARS } from '@balcao/contract/schedules.ts'
import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type RowTools, workOff } from '../../platform/work/due-rows.ts'
import { hoursOf } from '../businessHours/businessHours.queries.ts'
import { connectionsUnderWay, leavesNow, whyNotUnderWay } from '../connections/connections.queries.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { placeholders } from '../messages/outbox/greetings.actions.ts'
import { ensureAllKept } from '../tickets/moves/open.actions.ts'
import type { KeptTicket } from '../tickets/moves/open.queries.ts'
import { reaches, repliesUntilOn } from '../tickets/moves/reach.queries.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { schedulesChanged } from './schedules.events.ts'
import {
  claimDue,
  dueSchedules,
  lastOccurrence,
  noteOutcome,
  type OccurrenceOutcome,
  planNext,
  recordOccurrence,
} from './schedules.occurrences.queries.ts'
import {
  momentsOf,
  ownerOf,
  placeInBatch,
  plannedTime,
  type ScheduleRow,
  updateSchedule,
} from './schedules.queries.ts'

const BATCH = 100

/** Sent later than this, an occurrence is marked late. */
const LATE_MS = 60_000

/** Sends what is due, one commit each. True when more may be due. */
export const sendDueSchedules = (tools: RowTools): Promise<boolean> =>
  workOff(tools, {
    name: 'schedules',
    atOnce: BATCH,
    find: dueSchedules,
    run: (scope, { id }) => sendOccurrence(scope, id),
  })

/** Sends what is due in one company. Returns how many. */
export async function sendSchedulesOf(scope: Scope): Promise<number> {
  let sent = 0
  for (const { id } of await scope.read(tx => dueSchedules(tx.sql, BATCH)))
    if (await sendOccurrence(scope, id)) sent++
  return sent
}

/** One commit: the occurrence, its message in the outbox or the reason why not, and the next time. False when another worker has or had it. */
export const sendOccurrence = (scope: Scope, scheduleId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const claimed = await claimDue(tx, scheduleId)
    if (!claimed) return false
    const { schedule, now, tooLateBefore } = claimed
    if (await moveToWorkingDay(tx, schedule)) return true
    const { due, skipped, next } = await newestDue(tx, schedule, now)
    const isTooLate = due.at < tooLateBefore
    if (!isTooLate && !(await maySend(tx, schedule))) return false
    const late = Date.parse(now) - Date.parse(due.at) > LATE_MS
    if (await recordOccurrence(tx, { scheduleId, at: due.at, state: 'waiting', late })) {
      const outcome: OccurrenceOutcome = isTooLate
        ? { reason: 'ERR_SCHEDULE_TOO_LATE' }
        : await sendSchedule(tx, schedule, await placeInBatch(tx, schedule, due.at))
      await noteOutcome(tx, { scheduleId, at: due.at }, outcome)
    }
    for (const at of skipped) await recordOccurrence(tx, { scheduleId, at, state: 'skipped', late })
    await planNext(tx, schedule, next ?? due, { goesOn: next !== null })
    tx.emit(schedulesChanged, { action: 'update', scheduleIds: [scheduleId], contactId: schedule.contactId })
    return true
  })

/** Plans the occurrence anew, on the next working day, when its day is none any more; a series that would end before is over. */
async function moveToWorkingDay(tx: Tx, schedule: ScheduleRow): Promise<boolean> {
  const { id, contactId, typeSchedule, number, sendAt } = schedule
  if (typeSchedule !== 'Recorrente em Dias Úteis') return false
  const { calendar, known } = await workingDays(tx, schedule)
  if (isOnWorkingDay(calendar, known.at)) return false
  const rhythm = { ...rhythmOf(schedule), calendar, known: { number: number - 1, at: known.at } }
  const [at] = await momentsOf(tx, nextOccurrences(rhythm, number - 1, 1))
  await planNext(tx, schedule, { number, at: at ?? sendAt }, { goesOn: at !== undefined })
  if (at === undefined && (await lastOccurrence(tx, id))?.state === 'sent')
    await updateSchedule(tx, id, { status: 'ENVIADA' })
  tx.emit(schedulesChanged, { action: 'update', scheduleIds: [id], contactId })
  return true
}

/** Waits for a disconnected connection, not for a deleted one. */
const maySend = async (tx: Tx, { whatsappId }: ScheduleRow) =>
  whatsappId === null || leavesNow(tx, whatsappId)

/**
 * Inserts the message into the outbox, in the name of the schedule's user, on the open ticket of the contact, else on a closed
 * one of its queue: it disturbs no queue, and an answer opens a ticket.
 */
export async function sendSchedule(tx: Tx, schedule: ScheduleRow, place = 0): Promise<OccurrenceOutcome> {
  const { contactId, whatsappId, queueId, userId } = schedule
  if (whatsappId === null) return { reason: 'ERR_NO_WAPP_FOUND' }
  if (!(await reaches(tx, contactId, whatsappId))) return { reason: 'ERR_WAPP_INVALID_CONTACT' }
  if (!(await connectionsUnderWay(tx)).includes(whatsappId)) return { reason: await whyNotUnderWay(tx) }
  if (repliesAreOver(await repliesUntilOn(tx, contactId, whatsappId), databaseNow()))
    return { reason: 'ERR_WAPP_WINDOW_CLOSED' }
  const contact = await findContact(tx, contactId)
  const [{ id: ticketId }] = (await ensureAllKept(tx, [{ contact, whatsappId, queueId, userId }])) as [
    KeptTicket,
  ]
  const ticket = (await loadTicket(tx, ticketId))!
  const by = await ownerOf(tx, userId)
  const { body, mediaType, mediaUrl, media } = schedule
  const now = databaseNow()
  const draft = {
    id: randomUUID(),
    ...{ ticketId, contactId, whatsappId, userId, mediaType, mediaUrl, media },
    source: 'schedule' as const,
    body: filled(body, await placeholders(tx, ticket, by)),
    createdAt: new Date(now).toISOString(),
    ...(place > 0 && { dueAt: new Date(now + place * APART_MS).toISOString() }),
  }
  // a customer who waits for an answer keeps waiting
  await post(tx, [draft], ticket.waitingSince === null ? 'answer' : 'aside')
  return { messageId: draft.id, ticketId }
}

/** Messages that were planned at once leave one after the other: WhatsApp restricts numbers that write to many at one moment. */
const APART_MS = 3_000

/** The calendar, and the occurrence at `sendAt`, from which its days are counted. */
async function workingDays(tx: Tx, { number, sendAt }: ScheduleRow) {
  const { shown } = await plannedTime(tx, sendAt, AHEAD_YEARS)
  return { calendar: workCalendarOf(await hoursOf(tx)), known: { number, at: shown } }
}

/** The stored counter is of what is left after the next one. */
function rhythmOf({ typeSchedule, firstAt, number, repeatCounter, everyDays, untilDay }: ScheduleRow) {
  const total = repeatCounter === null ? null : number + repeatCounter
  return { typeSchedule, firstAt, repeatCounter: total, everyDays, untilDay }
}

/** Occurrences computed at once: a year of weeks. */
const STRETCH = 52

export interface SeriesPosition {
  number: number
  at: string
}

/** Of the occurrences due by now the newest, which is sent, and the skipped ones before it; and the next, null when there is none. */
export async function newestDue(tx: Tx, schedule: ScheduleRow, now: string) {
  const { typeSchedule, number, sendAt } = schedule
  const rhythm = rhythmOf(schedule)
  const counted = typeSchedule === 'Recorrente em Dias Úteis' ? await workingDays(tx, schedule) : {}
  const skipped: string[] = []
  let due: SeriesPosition = { number, at: sendAt }
  for (;;) {
    const moments = await momentsOf(tx, nextOccurrences({ ...rhythm, ...counted }, due.number, STRETCH))
    for (const at of moments) {
      const position = { number: due.number + 1, at }
      if (at > now) return { due, skipped, next: position }
      skipped.push(due.at)
      due = position
    }
    if (moments.length < STRETCH) return { due, skipped, next: null }
  }
}
