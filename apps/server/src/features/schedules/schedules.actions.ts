import { randomUUID } from 'node:crypto'
import { cut } from '@balcao/contract/cut.rules.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { mayChangeSchedule, nextOccurrences, workCalendarOf } from '@balcao/contract/schedules.rules.ts'
import {
  AHEAD_YEARS,
  MAX_TOGETHER,
  PAST_MS,
  type Schedule,
  type ScheduleFields,
  type ScheduleStatus,
  type SeveralFields,
  scheduleFileTypes,
} from '@balcao/contract/schedules.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import { idFrom } from '../../platform/ids.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { hoursOf } from '../businessHours/businessHours.queries.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { defaultConnection, userConnection } from '../connections/connections.queries.ts'
import { findCustomer } from '../contacts/contacts.owners.queries.ts'
import { ticketIdsInCompany } from '../tickets/moves/moves.queries.ts'
import { schedulesChanged } from './schedules.events.ts'
import { hasOccurrence } from './schedules.occurrences.queries.ts'
import {
  contactsFor,
  deleteBatch,
  deleteSchedule,
  deleteSchedules,
  fileOfSchedule,
  findSchedule,
  insertSchedule,
  lockSchedule,
  plannedBefore,
  plannedTime,
  type ScheduleRow,
  updateSchedule,
} from './schedules.queries.ts'

/**
 * Plans a message in the caller's name; an admin may name another. Refuses with ERR_NO_CONTACT_FOUND, ERR_NO_QUEUE_FOUND,
 * ERR_NO_WAPP_FOUND, ERR_NO_USER_FOUND, ERR_NO_DEF_WAPP_FOUND without a connection to use, ERR_NOT_IN_PLAN, ERR_FILE_TYPE,
 * and ERR_BAD_REQUEST for a time in the past or too far ahead, or a missing file.
 */
export const addSchedule = (scope: Scope, input: ScheduleFields, files: StoredFile[]): Promise<Schedule> =>
  scope.transaction(async tx => {
    await askPlan(tx, 'enableSchedules')
    const values = {
      ...(await rowOf(tx, input, null)),
      ...(await fileOf(tx, input, files, null)),
      ...(await planned(tx, input)),
    }
    return publishSchedule(tx, 'create', await insertSchedule(tx, values))
  })

/**
 * Plans the same message for several contacts, in one commit: each has a schedule of its own. Returns how many. Refuses like
 * `addSchedule`, and with ERR_BAD_REQUEST for more than 200 contacts. A request that planned already does nothing more.
 */
export const addSchedules = (scope: Scope, input: SeveralFields, files: StoredFile[]): Promise<number> =>
  scope.transaction(async tx => {
    await askPlan(tx, 'enableSchedules')
    const batch = input.requestId
      ? idFrom(`schedules ${viewerOf(scope).id} ${input.requestId}`)
      : randomUUID()
    const before = input.requestId ? await plannedBefore(tx, batch) : 0
    if (before > 0) return before
    const contactIds = await contactsFor(tx, input, MAX_TOGETHER + 1)
    const [first] = contactIds
    if (first === undefined) return refuse('ERR_NO_CONTACT_FOUND', { field: 'contactIds' })
    if (contactIds.length > MAX_TOGETHER)
      refuse('ERR_BAD_REQUEST', { field: 'contactIds', message: `At most ${MAX_TOGETHER}` })
    for (const contactId of input.contactIds ?? []) await findCustomer(tx, contactId)
    const fields = { ...input, contactId: first }
    const values = {
      ...(await rowOf(tx, fields, null)),
      ...(await fileOf(tx, fields, files, null)),
      ...(await planned(tx, fields)),
      batch,
    }
    const scheduleIds = []
    for (const contactId of contactIds) scheduleIds.push(await insertSchedule(tx, { ...values, contactId }))
    tx.emit(schedulesChanged, { action: 'create', scheduleIds, contactId: null })
    return scheduleIds.length
  })

/**
 * Changes a schedule and plans it anew; a pending one that keeps its time keeps its day of the month too. Refuses like
 * `addSchedule`, and with ERR_NOT_FOUND and ERR_NO_PERMISSION.
 */
export const changeSchedule = (
  scope: Scope,
  scheduleId: number,
  input: ScheduleFields,
  files: StoredFile[],
): Promise<Schedule> =>
  scope.transaction(async tx => {
    await askPlan(tx, 'enableSchedules')
    const before = await lockOwn(tx, scheduleId)
    const file = await fileOf(tx, input, files, before)
    const fields = {
      ...(await rowOf(tx, input, before)),
      ...file,
      ...((await keepsTime(tx, input, before))
        ? { repeatCounter: repeatsOf(input) }
        : await plannedAnew(tx, scheduleId, input)),
    }
    await updateSchedule(tx, scheduleId, fields)
    if (before.mediaUrl && before.mediaUrl !== file.mediaUrl) await removeFiles(tx, [before.mediaUrl])
    return publishSchedule(tx, 'update', scheduleId)
  })

/**
 * Deletes a schedule, with `whole` all of the same user that were planned with it. Refuses with ERR_NOT_FOUND and
 * ERR_NO_PERMISSION. What is in the outbox is still sent.
 */
export const removeSchedule = (scope: Scope, scheduleId: number, whole = false): Promise<void> =>
  scope.transaction(async tx => {
    const { contactId, batch, userId } = await lockOwn(tx, scheduleId)
    const isWhole = whole && batch !== null
    const deleted = await (isWhole ? deleteBatch(tx, batch, userId) : deleteSchedule(tx, scheduleId))
    await removeFiles(tx, [...new Set(deleted.flatMap(({ mediaUrl }) => mediaUrl ?? []))])
    const scheduleIds = deleted.map(({ id }) => id)
    tx.emit(schedulesChanged, { action: 'delete', scheduleIds, contactId: isWhole ? null : contactId })
  })

/** Deletes the caller's own, or all, which only admins may. Returns how many. Refuses with ERR_NO_PERMISSION. */
export const removeSchedules = (
  scope: Scope,
  status: ScheduleStatus | null,
  { mine }: { mine: boolean },
): Promise<number> =>
  scope.transaction(async tx => {
    const me = viewerOf(scope)
    if (!mine && !may(me, 'schedules:all')) return refuse('ERR_NO_PERMISSION', { field: 'mySchedule' })
    const deleted = await deleteSchedules(tx, status, mine ? me.id : null)
    if (deleted.length === 0) return 0
    await removeFiles(tx, [...new Set(deleted.flatMap(({ mediaUrl }) => mediaUrl ?? []))])
    const scheduleIds = deleted.map(({ id }) => id)
    tx.emit(schedulesChanged, { action: 'delete', scheduleIds, contactId: null })
    return deleted.length
  })

/** A schedule that the caller may change, locked. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export async function lockOwn(tx: Tx, scheduleId: number): Promise<ScheduleRow> {
  const schedule = await lockSchedule(tx, scheduleId)
  return mayChangeSchedule(viewerOf(tx), schedule) ? schedule : refuse('ERR_NO_PERMISSION')
}

export async function publishSchedule(
  tx: Tx,
  action: 'create' | 'update',
  scheduleId: number,
): Promise<Schedule> {
  const schedule = await findSchedule(tx, scheduleId)
  tx.emit(schedulesChanged, { action, scheduleIds: [scheduleId], contactId: schedule.contactId })
  return schedule
}

async function rowOf(tx: Tx, input: ScheduleFields, before: ScheduleRow | null) {
  const me = viewerOf(tx)
  const { body, contactId, typeMessage, typeSchedule } = input
  const isSeries = typeSchedule !== 'Único'
  const everyDays = typeSchedule === 'Recorrente em Dias' ? (input.everyDays ?? null) : null
  const untilDay = isSeries ? (input.untilDay ?? null) : null
  await findCustomer(tx, contactId)
  const queueId = input.queueId ?? null
  const named = may(me, 'schedules:all') ? input.userId : null
  const userId = named ?? (before ? before.userId : me.id)
  const whatsappId =
    // null differs from absent
    (input.whatsappId === undefined ? before?.whatsappId : input.whatsappId) ??
    (await userConnection(tx, me.id)) ??
    (await defaultConnection(tx)) ??
    refuse('ERR_NO_DEF_WAPP_FOUND', { field: 'whatsappId' })
  await ticketIdsInCompany(tx, { queueId, userId, whatsappId })
  const message = { body, contactId, queueId, whatsappId, userId, typeMessage }
  return { ...message, typeSchedule, everyDays, untilDay }
}

async function planned(tx: Tx, input: ScheduleFields) {
  const written = await firstOf(tx, timeOf(input), input)
  const { at, shown, agoMs, tooFar } = await plannedTime(tx, written, AHEAD_YEARS)
  if (agoMs > PAST_MS) refuse('ERR_BAD_REQUEST', { field: 'sendAt', message: 'In the past' })
  if (tooFar) refuse('ERR_BAD_REQUEST', { field: 'sendAt', message: 'More than 2 years ahead' })
  checkUntil(shown, input)
  return {
    sendAt: at,
    nextAt: at,
    // a skipped local time is stored as written, for weeks that have it
    firstAt: /^[^Z+]{11}\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(written) ? cut(written, 16) : shown,
    number: 0,
    repeatCounter: repeatsOf(input),
    status: 'PENDENTE' as const,
  }
}

/** A series on working days begins on the first one from its time on. */
async function firstOf(tx: Tx, written: string, { typeSchedule }: ScheduleFields): Promise<string> {
  if (typeSchedule !== 'Recorrente em Dias Úteis') return written
  const { shown } = await plannedTime(tx, written, AHEAD_YEARS)
  const rhythm = { typeSchedule, firstAt: shown, repeatCounter: null, calendar: await workCalendar(tx) }
  const [first = shown] = nextOccurrences(rhythm, -1, 1)
  return first === shown ? written : first
}

const workCalendar = async (tx: Tx) => workCalendarOf(await hoursOf(tx))

function checkUntil(shown: string, { typeSchedule, untilDay }: ScheduleFields): void {
  if (typeSchedule !== 'Único' && untilDay && shown.slice(0, 10) > untilDay)
    refuse('ERR_BAD_REQUEST', { field: 'untilDay', message: 'Before the first one' })
}

/** The same for a change: a time with an occurrence is in the past. */
async function plannedAnew(tx: Tx, scheduleId: number, input: ScheduleFields) {
  const fields = await planned(tx, input)
  return (await hasOccurrence(tx, scheduleId, fields.sendAt))
    ? refuse('ERR_BAD_REQUEST', { field: 'sendAt', message: 'In the past' })
    : fields
}

async function keepsTime(tx: Tx, input: ScheduleFields, before: ScheduleRow) {
  if (before.nextAt === null || before.typeSchedule !== input.typeSchedule) return false
  if (before.everyDays !== null && before.everyDays !== input.everyDays) return false
  // forms have no seconds
  const { at, shown } = await plannedTime(tx, timeOf(input), AHEAD_YEARS)
  checkUntil(shown, input)
  return at.slice(0, MINUTE) === before.sendAt.slice(0, MINUTE)
}

const MINUTE = 'YYYY-MM-DDTHH:mm'.length

/** A day without a time uses the field `hour`. */
const timeOf = ({ sendAt, hour }: ScheduleFields) =>
  sendAt.length > 10
    ? sendAt
    : hour
      ? `${sendAt}T${hour}`
      : refuse('ERR_BAD_REQUEST', { field: 'hour', message: 'Required' })

const repeatsOf = ({ typeSchedule, repeatCounter }: ScheduleFields) =>
  typeSchedule === 'Único' ? null : (repeatCounter ?? null)

const noFile = { mediaUrl: null, mediaType: null, media: null }

/** The uploaded file, else the stored one of this address, else the previous one. */
async function fileOf(tx: Tx, input: ScheduleFields, files: StoredFile[], before: ScheduleRow | null) {
  const [file] = files
  const field = 'media'
  if (input.typeMessage === 'Texto')
    return file ? refuse('ERR_BAD_REQUEST', { field, message: 'A text has no file' }) : noFile
  if (files.length > 1) return refuse('ERR_BAD_REQUEST', { field, message: 'One file' })
  if (file) return withFile(file, input.mediaName)
  const address = input.mediaUrl || before?.mediaUrl
  if (!address) return refuse('ERR_BAD_REQUEST', { field, message: 'Required' })
  if (!before || address !== before.mediaUrl) return fileOfSchedule(tx, address)
  const { mediaUrl, mediaType, media } = before
  return { mediaUrl, mediaType, media }
}

function withFile({ key, kind, ...about }: StoredFile, name = about.name) {
  const [type] = about.type.split(';')
  if (!scheduleFileTypes.includes(type!)) return refuse('ERR_FILE_TYPE', { field: 'media' })
  const media = { state: 'ready' as const, ...about, name: name.trim() || about.name, isVoice: false }
  return { mediaUrl: addressOf(key), mediaType: kind as string, media }
}
