import {
  AHEAD_YEARS,
  PAST_MS,
  type Schedule,
  ScheduleFields,
  USUAL_TEXT,
} from '@balcao/contract/schedules.ts'
import { z } from 'zod'
import { clock, momentAt } from '../../platform/time.ts'
import type { Named } from '../../ui/row-picker.tsx'
import { useScheduleText } from './schedules.text.ts'

export interface FormValues extends Record<string, unknown> {
  contact: Named | null
  /** For several contacts at once, those of the lists below; else for `contact`. */
  isSeveral: boolean
  contacts: Named[]
  categoryIds: number[]
  tagIds: number[]
  body: string
  queueId: string
  whatsappId: string
  /** Company's local time; the server converts it to UTC. */
  sendAt: string
  repeatCounter: string | number
  everyDays: string | number
  /** The last day of a series; empty for none. */
  untilDay: string
  typeMessage: Schedule['typeMessage']
  typeSchedule: Schedule['typeSchedule']
  mediaUrl: string
  mediaName: string
  /** Chosen here; null while the one at `mediaUrl` stays. */
  file: File | null
  /** The time of a waiting schedule may be past: its connection is down. */
  keptTime: string
}

const SHOWN = 'YYYY-MM-DDTHH:mm'

interface Start {
  contact: Named | null
  queueId: number | null
  whatsappId: number | null
}

/** A waiting one keeps its time; a copy, or one that is over, gets a new time. */
export function begin(like: Schedule | null, begun: Start, isKept: boolean): FormValues {
  const { contact, queueId, whatsappId } = like ?? begun
  const keptTime = like && isKept ? clock(like.sendAt).format(SHOWN) : ''
  return {
    contact,
    isSeveral: false,
    contacts: [],
    categoryIds: [],
    tagIds: [],
    body: like?.body ?? '',
    queueId: String(queueId ?? ''),
    whatsappId: String(whatsappId ?? ''),
    sendAt: keptTime || soon(like),
    repeatCounter: like?.repeatCounter ?? '',
    everyDays: like?.everyDays ?? '',
    untilDay: like?.untilDay ?? '',
    typeMessage: like?.typeMessage ?? 'Texto',
    typeSchedule: like?.typeSchedule ?? 'Único',
    mediaUrl: like?.mediaUrl ?? '',
    mediaName: like?.mediaName ?? '',
    file: null,
    keptTime,
  }
}

/** The time of what it is like, where that is ahead; else the next full hour. */
const soon = (like: Schedule | null) =>
  like && Date.parse(like.sendAt) > Date.now()
    ? clock(like.sendAt).format(SHOWN)
    : clock().add(1, 'hour').startOf('hour').format(SHOWN)

/** As the contract expects them. */
export function fieldsOf(values: FormValues) {
  const { contact, body, queueId, whatsappId, sendAt, repeatCounter, typeMessage, typeSchedule } = values
  const isSeries = typeSchedule !== 'Único'
  return {
    body,
    contactId: contact?.id as number,
    queueId: queueId === '' ? null : Number(queueId),
    whatsappId: whatsappId === '' ? null : Number(whatsappId),
    sendAt,
    repeatCounter: repeatCounter === '' || !isSeries ? null : Number(repeatCounter),
    everyDays: values.everyDays === '' || !isEveryDays(typeSchedule) ? null : Number(values.everyDays),
    untilDay: values.untilDay === '' || !isSeries ? null : values.untilDay,
    typeMessage,
    typeSchedule,
    ...(typeMessage === 'Mídia' && values.mediaUrl !== '' && !values.file && { mediaUrl: values.mediaUrl }),
  }
}

export const isEveryDays = (typeSchedule: Schedule['typeSchedule']) => typeSchedule === 'Recorrente em Dias'

/** The same for several contacts. */
export function severalOf(values: FormValues) {
  const { contactId: _one, ...fields } = fieldsOf(values)
  const { contacts, categoryIds, tagIds } = values
  return { ...fields, contactIds: contacts.map(({ id }) => id), categoryIds, tagIds }
}

/** The server's own shape, and what the form is stricter about (OP-01). */
export const formSchema = z.custom<FormValues>().superRefine((values, { addIssue }) => {
  const t = useScheduleText.read
  const report = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  const { isSeveral, contact, contacts, categoryIds, tagIds } = values
  const isForNobody = isSeveral ? [contacts, categoryIds, tagIds].every(some => some.length === 0) : !contact
  if (isForNobody) report('contactId', t('needsContact'))
  const isEmpty = values.body.trim() === ''
  for (const { path, message } of issuesOf(values))
    report(String(path[0]), path[0] === 'body' && isEmpty ? t('needsText') : message)
  if (values.typeMessage === 'Mídia' && !values.file && values.mediaUrl === '') report('file', t('needsFile'))
  if (values.typeMessage === 'Texto' && values.body.trim().length === USUAL_TEXT - 1)
    report('body', t('needsMore'))
  const { untilDay, sendAt, typeSchedule } = values
  if (typeSchedule !== 'Único' && untilDay !== '' && untilDay < sendAt.slice(0, 10))
    report('untilDay', t('untilBefore'))
  const wrong = values.sendAt === values.keptTime ? null : outOfReach(values.sendAt)
  if (wrong) report('sendAt', t(wrong))
})

/** A missing contact would keep the text from being validated: both errors are shown at once (SCHED-022). */
const issuesOf = (values: FormValues) =>
  ScheduleFields.safeParse({ ...fieldsOf(values), contactId: values.contact?.id ?? 1 }).error?.issues ?? []

function outOfReach(sendAt: string): 'inPast' | 'tooFar' | null {
  if (sendAt === '') return null
  const at = Date.parse(momentAt(sendAt))
  if (at < Date.now() - PAST_MS) return 'inPast'
  return at > clock().add(AHEAD_YEARS, 'year').valueOf() ? 'tooFar' : null
}
