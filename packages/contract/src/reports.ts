import { z } from 'zod'
import {
  day,
  id,
  idList,
  idOrNone,
  instant,
  moment,
  oneOf,
  page,
  pageNumber,
  route,
  spokenLanguage,
} from './kit.ts'
import { figureNames } from './reports.rules.ts'

const Figures = z.object(
  Object.fromEntries(figureNames.map(name => [name, z.int()])) as Record<
    (typeof figureNames)[number],
    z.ZodInt
  >,
)

/** By what figures are told apart; id 0 stands for none, and an empty name for what was deleted since. */
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
  /** Of what was closed in his hands. */
  figures: Figures,
  /** Of what was closed, by whomever: how much he had a part in, and the seconds of his part. */
  own: z.object({ served: z.int(), serveSeconds: z.int() }),
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
 * What a range says. Closed ones are those that were closed in it; pending and open ones those that wait and are attended
 * now. Times are HH:mm:ss: TMA from the acceptance to the closing, TME from the creation to the acceptance.
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
  /** What the range was taken for. */
  range: z.object({ from: instant, until: instant }),
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

/** What is asked of both; the start of the month up to now unless said. */
export const ReportFilter = z.object({
  initialDate: moment.or(z.literal('')).optional(),
  finalDate: moment.or(z.literal('')).optional(),
  /** Empty for all. */
  selectedQueueIds: idList.optional(),
  selectedUserIds: idList.optional(),
})
export type ReportFilter = z.infer<typeof ReportFilter>

const reply = z.object({ reportData: ReportData })

/** A closing behind a figure: the ticket, and how long its parts took in seconds. */
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

/** What stands behind a figure; id 0 for those without one. */
const Behind = ReportFilter.extend({
  userId: idOrZero.optional(),
  queueId: idOrZero.optional(),
  whatsappId: idOrZero.optional(),
  tagId: idOrZero.optional(),
})
export type ReportBehind = z.infer<typeof Behind>

export const reports = {
  dash: route('GET', '/dash/attendances', {
    needs: 'dashboard',
    says: 'How long customers waited and were attended in a range of at most five years, by user, queue, connection, tag and day.',
    query: ReportFilter.pick({ initialDate: true, finalDate: true }).extend({
      currentQueue: idOrNone.optional(),
      currentUser: idOrNone.optional(),
    }),
    reply,
  }),
  attendances: route('GET', '/report/attendances', {
    needs: 'administration',
    says: 'The same for several queues and users.',
    query: ReportFilter,
    reply,
  }),
  services: route('GET', '/report/services', {
    needs: 'tickets:showAll',
    says: 'What was closed in a range, newest first, a page at a time: the tickets behind a figure of a report.',
    query: Behind.extend({ pageNumber: pageNumber.optional() }),
    reply: page('services', ReportService),
  }),
  export: route('GET', '/report/export', {
    needs: 'tickets:showAll',
    says: 'A report as a file, fetched at the address that is answered: its figures, or every closing behind them.',
    query: ReportFilter.extend({
      what: oneOf(['figures', 'services']),
      format: oneOf(['xlsx', 'csv']),
      language: spokenLanguage.optional(),
    }),
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 10 },
  }),
}
