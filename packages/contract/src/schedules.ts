import { z } from 'zod'
import {
  channel,
  countOrNone,
  day,
  flag,
  id,
  idList,
  idOrNone,
  instant,
  moment,
  page,
  pageQuery,
  readJson,
  requestId,
  route,
} from './kit.ts'
import { MAX_BODY } from './messages.input.ts'

/** Lengths of the documents (automation §9, OP-01): the form warns below the second, the server refuses below the first. */
export const MIN_TEXT = 5
export const USUAL_TEXT = 6
/** Cut in the table; in a preview beside a file, and without one. */
export const TABLE_WORDS = 25
export const PREVIEW_WORDS = { media: 30, text: 77 }
/** Bounds of a planned time: slightly in the past, since clocks differ, and far ahead. */
export const PAST_MS = 60_000
export const AHEAD_YEARS = 2
/** Twenty years of weeks. */
export const MAX_REPEATS = 1_000
export const MAX_EVERY_DAYS = 365
/** Contacts that are planned for at once; more are a campaign. */
export const MAX_TOGETHER = 200

/** The first three are the documents'. On working days: those on which the company is open, else Monday to Friday. */
export const ScheduleType = z.enum([
  'Único',
  'Recorrente Semanal',
  'Recorrente Mensal',
  'Recorrente em Dias',
  'Recorrente em Dias Úteis',
])
export type ScheduleType = z.infer<typeof ScheduleType>
export const MessageType = z.enum(['Texto', 'Mídia'])
export type MessageType = z.infer<typeof MessageType>
export const ScheduleStatus = z.enum(['PENDENTE', 'ENVIADA'])
export type ScheduleStatus = z.infer<typeof ScheduleStatus>

/** Files that a schedule accepts, by content (automation §9). */
export const scheduleFileTypes = [
  'image/png',
  'image/jpeg',
  'application/pdf',
  'video/mp4',
  'audio/mpeg',
  'audio/ogg',
]

const Named = z.object({ id: z.int(), name: z.string() })

/** On which days of the week a company works (0 is Sunday), and its holidays, `YYYY-MM-DD`. */
export const WorkCalendar = z.object({ weekdays: z.array(z.int()), holidays: z.array(z.string()) })
export type WorkCalendar = z.infer<typeof WorkCalendar>

/** One time that it was due. */
export const Occurrence = z.object({
  /** When it was due. */
  at: instant,
  /** `waiting`: it is in the outbox. `skipped`: a newer one of its series was due too. */
  state: z.enum(['waiting', 'sent', 'failed', 'skipped']),
  /** Sent later than due: the server was down at that time. */
  late: z.boolean(),
  /** Why it failed: a code of the catalogue, or what WhatsApp answered; empty otherwise. */
  reason: z.string(),
  ticketId: z.int().nullable(),
})
export type Occurrence = z.infer<typeof Occurrence>

export const Schedule = z.object({
  id: z.int(),
  body: z.string(),
  contact: Named.extend({ number: z.string() }),
  contactId: z.int(),
  queue: Named.extend({ color: z.string() }).nullable(),
  queueId: z.int().nullable(),
  /** Null when the connection was removed: occurrences then fail with that reason. */
  whatsapp: Named.nullable(),
  whatsappId: z.int().nullable(),
  user: Named.nullable(),
  /** Creator; null when the user was deleted. */
  userId: z.int().nullable(),
  /** Next time; of a finished one, its last. */
  sendAt: instant,
  /** What the company's clock shows then, `HH:mm`. */
  hour: z.string(),
  sentAt: instant.nullable(),
  /** Repeats after `sendAt`; null for unlimited. */
  repeatCounter: z.int().nullable(),
  typeMessage: MessageType,
  typeSchedule: ScheduleType,
  /** Days from one to the next; null for other types. */
  everyDays: z.int().nullable(),
  /** The last day of the series; null without. */
  untilDay: z.string().nullable(),
  /** The same for those that were planned at once for several contacts; null for one. */
  batch: z.uuid().nullable(),
  mediaUrl: z.string().nullable(),
  /** The same address: there is one server. */
  mediaUrlVt: z.string().nullable(),
  /** Of its file; empty without one. */
  mediaName: z.string(),
  mediaType: z.string().nullable(),
  status: ScheduleStatus,
  /** Local time of the first one, from which the day of the month is derived. */
  firstAt: z.string(),
  /** The number of the one at `sendAt`, from 0. */
  number: z.int(),
  /** False when finished. */
  planned: z.boolean(),
  last: Occurrence.nullable(),
})
export type Schedule = z.infer<typeof Schedule>

const Fields = z.object({
  body: z.string().max(MAX_BODY, 'Too Long!').default(''),
  contactId: id,
  queueId: idOrNone.optional(),
  /** Default: the connection of the creator, else the company's default. */
  whatsappId: idOrNone.optional(),
  /** An admin may plan in the name of another user. */
  userId: idOrNone.optional(),
  /** A moment; without a zone by the company's clock. A day needs `hour`. */
  sendAt: moment,
  hour: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d(:\d\d)?$/)
    .or(z.literal(''))
    .nullable()
    .optional(),
  /** Empty repeats for ever (OP-88). */
  repeatCounter: countOrNone(MAX_REPEATS).optional(),
  typeMessage: MessageType.default('Texto'),
  typeSchedule: ScheduleType.default('Único'),
  /** Needed for `Recorrente em Dias`. */
  everyDays: z.int().min(1).max(MAX_EVERY_DAYS).nullable().optional(),
  /** The last day on which a series is sent; empty for none. */
  untilDay: day
    .or(z.literal('').transform(() => null))
    .nullable()
    .optional(),
  /** Another schedule of the company, whose file is used; the schedule itself to keep its file. */
  mediaUrl: z.string().max(200).nullable().optional(),
  mediaName: z.string().max(200).optional(),
})

type Checked = Pick<z.output<typeof Fields>, 'body' | 'typeMessage' | 'typeSchedule' | 'everyDays'>

/** A text that is a text: a caption may be empty. */
function check({ body, typeMessage, typeSchedule, everyDays }: Checked, { addIssue }: z.core.$RefinementCtx) {
  if (typeMessage === 'Texto' && body.trim().length < MIN_TEXT)
    addIssue({ code: 'custom', path: ['body'], message: 'Mensagem muito curta' })
  if (typeSchedule === 'Recorrente em Dias' && !everyDays)
    addIssue({ code: 'custom', path: ['everyDays'], message: 'Required' })
}

export const ScheduleFields = Fields.superRefine(check)
export type ScheduleFields = z.output<typeof ScheduleFields>

/** The same for several contacts: those that are named, of categories, and with tickets of tags, each once. */
export const SeveralFields = Fields.omit({ contactId: true })
  .extend({
    contactIds: idList.optional(),
    categoryIds: idList.optional(),
    tagIds: idList.optional(),
    /** Chosen by the form: the same again, as after an answer that was lost, plans nothing more. */
    requestId,
  })
  .superRefine(check)
export type SeveralFields = z.output<typeof SeveralFields>

/** A form: multipart with `body` (JSON), the file and `mediaName` (documents); or the fields themselves. */
export const ScheduleInput = z.preprocess(unfolded, ScheduleFields)

function unfolded(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const { body, ...others } = given as Record<string, unknown>
  const parsed = typeof body === 'string' ? objectIn(body) : typeof body === 'object' ? body : null
  return parsed ? { ...others, ...parsed } : given
}

function objectIn(text: string): object | null {
  const parsed = text.trimStart().startsWith('{') ? readJson(text) : null
  return typeof parsed === 'object' ? parsed : null
}

const scheduleId = z.object({ scheduleId: id })
const statusChoice = ScheduleStatus.or(z.literal('')).optional()
/** Grants no rights (OP-86). */
const ignored = z.unknown().optional()

export const schedules = {
  list: route('GET', '/schedules', {
    needs: 'session',
    summary:
      'Schedules of the company a page at a time: what is pending by its time, anything else newest first. The search looks at the text and at the contact’s name.',
    query: pageQuery.extend({
      status: statusChoice,
      user: ignored,
      contactId: idOrNone.optional(),
    }),
    reply: page('schedules', Schedule),
  }),
  show: route('GET', '/schedules/:scheduleId', {
    needs: 'session',
    summary: 'One schedule.',
    params: scheduleId,
    reply: Schedule,
  }),
  create: route('POST', '/schedules/:companyId', {
    needs: 'session',
    summary:
      'Plans a message: multipart with `body` (JSON), `media` and `mediaName`. From 1 minute ago to 2 years ahead.',
    params: z.object({ companyId: id }),
    files: 'also',
    body: ScheduleInput,
    reply: Schedule,
  }),
  createSeveral: route('POST', '/schedules/:companyId/several', {
    needs: 'session',
    summary:
      'Plans a message for several contacts, each with a schedule of its own; contacts of categories and tags without those who opted out. At most 200. ERR_NO_CONTACT_FOUND without any. A `requestId` that planned already answers how many.',
    params: z.object({ companyId: id }),
    files: 'also',
    body: z.preprocess(unfolded, SeveralFields),
    reply: z.object({ planned: z.int() }),
  }),
  calendar: route('GET', '/schedules/calendar', {
    needs: 'session',
    summary: 'The working days of the company: days of the week (0 is Sunday), without its holidays.',
    reply: WorkCalendar,
  }),
  change: route('PUT', '/schedules/:scheduleId/:companyId', {
    edits: '/schedules/:scheduleId',
    needs: 'session',
    summary:
      'Changes a schedule and plans it anew; for admins and who made it. A file that is not sent again stays.',
    params: z.object({ scheduleId: id, companyId: id }),
    files: 'also',
    body: ScheduleInput,
    reply: Schedule,
  }),
  remove: route('DELETE', '/schedules/:scheduleId', {
    needs: 'session',
    summary:
      'Deletes a schedule, with `whole` all that were planned with it for other contacts; for admins and who made it. What was sent stays sent.',
    params: scheduleId,
    query: z.object({ whole: flag.optional() }),
  }),
  removeMany: route('POST', '/schedulesDelete', {
    needs: 'session',
    summary:
      'Deletes the caller’s schedules, or with `mySchedule` false those of everybody, which admins may; with a status only those that have it.',
    body: z.object({
      status: statusChoice.nullable(),
      mySchedule: flag.optional(),
      user: ignored,
    }),
    reply: z.object({ deleted: z.int() }),
  }),
  resend: route('POST', '/schedules/:scheduleId/resend', {
    needs: 'session',
    summary:
      'Sends the last occurrence again, which failed; for admins and who made it. ERR_SCHEDULE_NOT_FAILED when it did not.',
    params: scheduleId,
    reply: Schedule,
  }),
}

/** Schedules changed: clients fetch them again. */
export const scheduleChannel = channel(
  'schedule-{companyId}',
  z.object({
    action: z.enum(['create', 'update', 'delete']),
    scheduleIds: z.array(z.int()),
    /** Contact of the schedules: a conversation shows those of its contact. Null: several. */
    contactId: z.int().nullable(),
  }),
)
