import { z } from 'zod'
import { Invoice } from './invoices.ts'
import { day, id, instant, localeTag, oneOf, pageQuery, route } from './kit.ts'
import {
  INVOICE_KINDS,
  INVOICE_PARTS,
  LEAD_STATES,
  LEAD_STEPS,
  RECEIPT_KINDS,
  REVENUE_MOVES,
  SUBSCRIBER_STATES,
} from './revenue.rules.ts'

/** `2026-11`. The years before and after it have four digits, too. */
const month = z.string().regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, 'A month such as 2026-11')

/** A number of rows, and the sum of their cents. */
const Sum = z.object({ count: z.int(), value: z.int() })
export type RevenueSum = z.infer<typeof Sum>

/**
 * Monthly recurring revenue (MRR): of each company the one invoice whose period contains the day (an automatic one before a
 * manual one, of several the newest period), its value divided by its months, rounded down to the cent. Paid or not; a cancelled one counts
 * nothing. `mrr` is what the month before had plus new, reactivated, expansion, contraction and churned; the last two are
 * negative. A company that is deleted keeps the months before, without its name, and churns in that of its deletion.
 */
export const RevenueMonth = z.object({
  month,
  /** The last day of the month, or today: on it the companies are counted. */
  day,
  mrr: Sum,
  ...{ new: Sum, reactivated: Sum, expansion: Sum, contraction: Sum, churned: Sum },
  /** Percentages of the companies, and of the cents, at the end of the month before that churned; null where there were none. */
  churnRate: z.number().nullable(),
  revenueChurnRate: z.number().nullable(),
  /** Money by the day on which it was paid; and what was given back, negative. */
  ...{ received: Sum, refunded: Sum },
})
export type RevenueMonth = z.infer<typeof RevenueMonth>

/** A company behind a figure of a month; cents a month at the end of the one before, and at its own. */
export const RevenueRow = z.object({
  /** Negative where the company was deleted; the same in every month. */
  id: z.int(),
  /** Empty where it was deleted. */
  companyName: z.string(),
  move: z.enum([...REVENUE_MOVES, 'same']),
  before: z.int(),
  after: z.int(),
  /** The invoice that counts, or counted last; null where the company was deleted. */
  invoiceId: z.int().nullable(),
})
export type RevenueRow = z.infer<typeof RevenueRow>

/** The companies with a plan, by the plan’s name in their copies; empty for those without one. */
export const PlanShare = z.object({
  planName: z.string(),
  companies: z.int(),
  paying: Sum,
  /** Those of which something is overdue. */
  risk: Sum,
  trial: z.int(),
})
export type PlanShare = z.infer<typeof PlanShare>

export const Subscriber = z.object({
  id: z.int(),
  companyName: z.string(),
  planName: z.string(),
  state: z.enum(SUBSCRIBER_STATES),
  /** Cents a month, today. */
  mrr: z.int(),
  trialEndsOn: day.nullable(),
})
export type Subscriber = z.infer<typeof Subscriber>

export const ListedLead = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  whatsAppNumber: z.string(),
  origin: z.string(),
  planName: z.string(),
  state: z.enum(LEAD_STATES),
  companyId: z.int().nullable(),
  companyName: z.string(),
  createdAt: instant,
})
export type ListedLead = z.infer<typeof ListedLead>

/** Leads by the month in which they signed up, and the steps they reached. Those that never completed are deleted after 90 days. */
export const LeadFunnel = z.object({
  month,
  ...{ asked: z.int(), completed: z.int(), invoiced: z.int(), paid: z.int() },
})
export type LeadFunnel = z.infer<typeof LeadFunnel>

export const CompanyInvoice = Invoice.extend({ companyName: z.string(), planName: z.string() })
export type CompanyInvoice = z.infer<typeof CompanyInvoice>

/** Money that came in or was given back, and credit. */
export const Receipt = z.object({
  /** Of the payment or the refund; unique among its kind. Negative where the company was deleted: then nothing names it. */
  rowId: z.int(),
  kind: z.enum(RECEIPT_KINDS),
  day,
  companyId: z.int().nullable(),
  companyName: z.string(),
  documentNumber: z.string(),
  /** Cents; what was given back is negative. */
  value: z.int(),
  source: z.enum(['provider', 'manual', 'credit']),
  provider: z.string(),
  providerId: z.string(),
  recordedBy: z.string(),
  note: z.string(),
})
export type Receipt = z.infer<typeof Receipt>

const InvoiceFilter = z.object({
  /** Of the due date. */
  month: month.optional(),
  part: oneOf(INVOICE_PARTS).optional(),
  companyId: id.optional(),
  /** Exactly. */
  planName: z.string().max(100).optional(),
  /** Of a period of the plan, or a one-off charge. */
  kind: oneOf(INVOICE_KINDS).optional(),
})
export type RevenueInvoiceFilter = z.output<typeof InvoiceFilter>

const ReceiptFilter = z.object({
  /** Of the day. */
  month,
  kind: oneOf(RECEIPT_KINDS).optional(),
})
export type ReceiptFilter = z.output<typeof ReceiptFilter>

const paged = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), hasMore: z.boolean() })

/** Decimals by point or by comma; amounts are written in reais. */
const sheet = { decimals: oneOf(['comma', 'point']), language: localeTag.optional() }
const file = z.object({ url: z.string() })
const limit = { counts: 'calls', caller: 20 } as const

export const revenue = {
  months: route('GET', '/revenue/months', {
    needs: 'master',
    summary:
      'Money by month, the newest first, up to today: recurring revenue with what moved it, churn, and what was received.',
    query: z.object({ months: oneOf([3, 6, 12, 24]).optional() }),
    reply: z.object({ months: z.array(RevenueMonth) }),
  }),
  rows: route('GET', '/revenue/rows', {
    needs: 'master',
    summary:
      'The companies behind a figure of a month: those of a move, or without one all with recurring revenue at its end.',
    query: pageQuery.extend({ month, move: oneOf(REVENUE_MOVES).optional() }),
    reply: paged(RevenueRow),
  }),
  plans: route('GET', '/revenue/plans', {
    needs: 'master',
    summary: 'Companies by plan and by billing state today.',
    reply: z.object({
      plans: z.array(PlanShare),
      states: z.record(z.enum(SUBSCRIBER_STATES), z.int()),
      /** Trials that end within seven days. */
      endingTrials: z.int(),
    }),
  }),
  subscribers: route('GET', '/revenue/subscribers', {
    needs: 'master',
    summary: 'The companies behind these figures by name; `ending`: whose trial ends within seven days.',
    query: pageQuery.extend({
      planName: z.string().max(100).optional(),
      state: oneOf(SUBSCRIBER_STATES).optional(),
      ending: oneOf(['soon']).optional(),
    }),
    reply: paged(Subscriber),
  }),
  funnel: route('GET', '/revenue/funnel', {
    needs: 'master',
    summary:
      'Leads by the month in which they signed up, and the steps they reached: the last twelve months, the newest first.',
    reply: z.object({ months: z.array(LeadFunnel) }),
  }),
  leads: route('GET', '/revenue/leads', {
    needs: 'master',
    summary: 'Leads, the newest first; the search looks at name, e-mail and number.',
    query: pageQuery.extend({
      month: month.optional(),
      state: oneOf(LEAD_STATES).optional(),
      reached: oneOf(LEAD_STEPS).optional(),
    }),
    reply: paged(ListedLead),
  }),
  invoices: route('GET', '/revenue/invoices', {
    needs: 'master',
    summary: 'Invoices of all companies, the latest due date first.',
    query: InvoiceFilter.extend(pageQuery.shape),
    reply: paged(CompanyInvoice),
  }),
  invoiceTotals: route('GET', '/revenue/invoices/totals', {
    needs: 'master',
    summary:
      'What these invoices add up to, by part: those that wait or are overdue by what is left to pay. And what of all is paid.',
    query: InvoiceFilter,
    reply: z.object({
      ...{ pending: Sum, overdue: Sum, paid: Sum, cancelled: Sum },
      /** Cents that payments cover, of all of them. */
      paidValue: z.int(),
    }),
  }),
  receipts: route('GET', '/revenue/receipts', {
    needs: 'master',
    summary: 'Money that came in within a month, credit, and what was given back; the latest first.',
    query: ReceiptFilter.extend(pageQuery.shape),
    reply: paged(Receipt),
  }),
  exportInvoices: route('GET', '/revenue/invoices/export', {
    needs: 'master',
    summary: 'The invoices of a month as CSV, fetched at the address that is answered.',
    query: InvoiceFilter.extend({ month, ...sheet }),
    reply: file,
    limit,
  }),
  exportReceipts: route('GET', '/revenue/receipts/export', {
    needs: 'master',
    summary: 'The receipts of a month as CSV, fetched at the address that is answered.',
    query: ReceiptFilter.extend(sheet),
    reply: file,
    limit,
  }),
}
