import { z } from 'zod'
import {
  day,
  id,
  idList,
  idOrNone,
  instant,
  localeTag,
  moment,
  oneOf,
  page,
  pageNumber,
  route,
} from './kit.ts'
import { figureNames } from './reports.rules.ts'

const Figures = z.object(
  Object.fromEntries(figureNames.map(name => [name, z.int()])) as Record<
    (typeof figureNames)[number],
    z.ZodInt
  >,
)

/** Grouping of figures; id 0 means none, and an empty name means deleted since. */
const Part = z.object({ id: z.int(), name: z.string(), figures: Figures })
export type ReportPart = z.infer<typeof Part>

export const ReportUser = z.object({
  id: z.int(),
  name: z.string(),
  /** What the user has open and what he closed. */
  qtdAtendimentos: z.int(),
  porcentagemAtendimentos: z.int(),
  /** His own part of the serving, also in what others closed; of what he had a part in, on average. */
  tmaTotalUser: z.string(),
  tma: z.string(),
  tmeTotalUser: z.string(),
  tme: z.string(),
  countOpen: z.int(),
  countClosed: z.int(),
  /** Of tickets closed by this user. */
  figures: Figures,
  /**
   * Of what was closed, by whomever: how much the user had a part in and the seconds of that part, and how much the user
   * accepted after a wait and the seconds of those waits.
   */
  own: Figures.pick({ served: true, serveSeconds: true, waited: true, waitSeconds: true }),
})
export type ReportUser = z.infer<typeof ReportUser>

export const ReportQueue = z.object({
  id: z.int(),
  queue: z.string(),
  /** What waits in it, what is open and what was closed. */
  qtdAtendimentos: z.int(),
  percent: z.int(),
  countPending: z.int(),
  countOpen: z.int(),
  countClosed: z.int(),
  figures: Figures,
})
export type ReportQueue = z.infer<typeof ReportQueue>

export const ReportDay = z.object({ day, ...Figures.shape })
export type ReportDay = z.infer<typeof ReportDay>

/**
 * Figures of a range. Closed ones are those that were closed in it; pending and open ones the current ones. Times are
 * HH:mm:ss: TMA from the acceptance to the closing, TME from the creation to the acceptance; a wait after a return is in
 * TME alone.
 */
export const ReportData = z.object({
  /** Pending, open and closed. */
  totalTickets: z.int(),
  tmaTotalMoment: z.string(),
  tmaTotalMedioMoment: z.string(),
  tmeTotalMoment: z.string(),
  tmeTotalMedioMoment: z.string(),
  countPending: z.int(),
  countOpenGeneral: z.int(),
  countClosed: z.int(),
  dataUsers: z.array(ReportUser),
  dataQueuesWitchPercent: z.array(ReportQueue),
  /** The last 1,000 that were closed. */
  tickets: z.array(z.object({ id: z.int() })),
  /** The range used. */
  range: z.object({ from: instant, until: instant }),
  /** Of which moment it is, where a copy of the database answers; else of now. */
  asOf: instant.optional(),
  figures: Figures,
  /** The same length of time right before. */
  before: Figures,
  /** Whole percents since then: of the closed ones, of the means, and of both sums; null with nothing to compare. */
  changes: z.object({
    closed: z.int().nullable(),
    tma: z.int().nullable(),
    tme: z.int().nullable(),
    answer: z.int().nullable(),
    serveSeconds: z.int().nullable(),
    waitSeconds: z.int().nullable(),
  }),
  /** Every day of the company's clock. */
  days: z.array(ReportDay),
  dataConnections: z.array(Part),
  /** By the tags that the tickets have now: one with two tags is in both. */
  dataTags: z.array(Part),
})
export type ReportData = z.infer<typeof ReportData>

/** Parameters of both; default: from the start of the month to now. */
export const ReportFilter = z.object({
  initialDate: moment.or(z.literal('')).optional(),
  finalDate: moment.or(z.literal('')).optional(),
  /** Empty for all. */
  selectedQueueIds: idList.optional(),
  selectedUserIds: idList.optional(),
})
export type ReportFilter = z.infer<typeof ReportFilter>

const reply = z.object({ reportData: ReportData })

/** A closed ticket of a figure, with the seconds of its phases. */
export const ReportService = z.object({
  id: z.int(),
  ticketId: z.int(),
  protocol: z.string(),
  contact: z.string(),
  /** Empty for none, or for what was deleted since. */
  user: z.string(),
  queue: z.string(),
  connection: z.string(),
  beganAt: instant,
  closedAt: instant,
  waitSeconds: z.int().nullable(),
  answerSeconds: z.int().nullable(),
  serveSeconds: z.int().nullable(),
})
export type ReportService = z.infer<typeof ReportService>

/** An id; 0 for those without one. */
const idOrZero = id.or(oneOf([0]))

/** The group of a figure; id 0 for those without one. */
const Behind = ReportFilter.extend({
  userId: idOrZero.optional(),
  queueId: idOrZero.optional(),
  whatsappId: idOrZero.optional(),
  tagId: idOrZero.optional(),
  reasonId: idOrZero.optional(),
})
export type ReportBehind = z.infer<typeof Behind>

/** What was closed in a range, by the hour of the company's clock in which it began; weekday 1 is Monday. */
export const ReportHour = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  ...Figures.pick({ closed: true, waited: true, waitSeconds: true }).shape,
})
export type ReportHour = z.infer<typeof ReportHour>

/** Closings with one reason, and how long they took from beginning to end on average (seconds). */
export const ReportReason = z.object({
  id: z.int(),
  name: z.string(),
  closed: z.int(),
  percent: z.int(),
  seconds: z.int().nullable(),
})
export type ReportReason = z.infer<typeof ReportReason>

const upTo = (most: number) => z.int().min(1).max(most).nullable()

/** Targets of a company for its averages; null without one. */
export const ReportTargets = z.object({
  waitMinutes: upTo(1_440),
  serveMinutes: upTo(10_080),
  closedPerDay: upTo(100_000),
})
export type ReportTargets = z.infer<typeof ReportTargets>

/** The figures of the last week, mailed to a user each Monday. */
export const ReportMail = z.object({
  selectedQueueIds: z.array(z.int()),
  selectedUserIds: z.array(z.int()),
  /** When the next one leaves. */
  dueAt: instant,
})
export type ReportMail = z.infer<typeof ReportMail>

/** `isSetUp`: the installation sends e-mails. `mail`: null for who receives none. */
const ReportMailState = z.object({ isSetUp: z.boolean(), email: z.string(), mail: ReportMail.nullable() })
export type ReportMailState = z.infer<typeof ReportMailState>

export const ReportMailInput = ReportFilter.pick({ selectedQueueIds: true, selectedUserIds: true }).extend({
  language: localeTag.optional(),
})
export type ReportMailInput = z.infer<typeof ReportMailInput>

export const reports = {
  dash: route('GET', '/dash/attendances', {
    needs: 'dashboard',
    summary:
      'How long customers waited and were attended in a range of at most five years, by user, queue, connection, tag and day.',
    query: ReportFilter.pick({ initialDate: true, finalDate: true }).extend({
      currentQueue: idOrNone.optional(),
      currentUser: idOrNone.optional(),
    }),
    reply,
  }),
  attendances: route('GET', '/report/attendances', {
    needs: 'administration',
    summary: 'The same for several queues and users.',
    query: ReportFilter,
    reply,
  }),
  hours: route('GET', '/report/hours', {
    needs: 'reports',
    summary: 'What was closed in a range, by the weekday and the hour in which it began.',
    query: ReportFilter,
    reply: z.object({ hours: z.array(ReportHour) }),
  }),
  online: route('GET', '/report/online', {
    needs: 'reports',
    summary: 'How many users of the company have the product open now.',
    reply: z.object({ users: z.int() }),
  }),
  targets: route('GET', '/report/targets', {
    needs: 'reports',
    summary: 'What the company wants to reach.',
    reply: ReportTargets,
  }),
  changeTargets: route('PUT', '/report/targets', {
    edits: '/report/targets',
    needs: 'administration',
    summary: 'Sets all targets of the company anew.',
    body: ReportTargets,
    reply: ReportTargets,
  }),
  showMail: route('GET', '/report/mail', {
    needs: 'reports',
    summary: 'The weekly report that the caller receives by e-mail.',
    reply: ReportMailState,
  }),
  changeMail: route('PUT', '/report/mail', {
    needs: 'reports',
    summary:
      'Mails the caller the figures of each week on Monday, of these queues and users. ERR_NO_MAIL without a mail server.',
    body: ReportMailInput,
    reply: ReportMailState,
  }),
  stopMail: route('DELETE', '/report/mail', {
    needs: 'session',
    summary: 'The caller receives the weekly report no longer.',
  }),
  endMail: route('POST', '/report/mail/end', {
    needs: 'nobody',
    summary:
      'Ends the weekly report that a letter came from, by the link in it and without a session. ERR_LINK_OVER where there is none any more.',
    body: z.object({ token: z.string().max(200) }),
  }),
  services: route('GET', '/report/services', {
    needs: 'tickets:showAll',
    summary:
      'What was closed in a range, newest first, a page at a time: the tickets behind a figure of a report.',
    query: Behind.extend({ pageNumber: pageNumber.optional() }),
    reply: page('services', ReportService),
  }),
  reasons: route('GET', '/report/reasons', {
    needs: 'reports',
    summary: 'What was closed in a range by the reason that was given; id 0 for those without one.',
    query: ReportFilter,
    reply: z.object({ reasons: z.array(ReportReason), closed: z.int() }),
  }),
  export: route('GET', '/report/export', {
    needs: 'tickets:showAll',
    summary:
      'A report as a file, fetched at the address that is answered: its figures, or every closing behind them.',
    query: ReportFilter.extend({
      what: oneOf(['figures', 'services', 'reasons']),
      format: oneOf(['xlsx', 'csv']),
      language: localeTag.optional(),
    }),
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 10 },
  }),
}
