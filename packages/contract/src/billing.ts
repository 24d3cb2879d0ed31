import { z } from 'zod'
import { CancelInput } from './invoices.ts'
import { day, id, route } from './kit.ts'
import { Plan, Recurrence } from './plans.ts'

const Used = z.object({ used: z.int(), limit: z.int() })

/** What a change of plan costs, before it is made. Amounts in cents. */
export const PlanQuote = z.object({
  plan: Plan,
  recurrence: Recurrence,
  /** now: the rest of what was invoiced becomes credit, and a period begins today. next: with the next period. */
  when: z.enum(['now', 'next']),
  /** The first day of the new plan. */
  from: day,
  /** The price of one period, what is credited of the current one, and what is left to pay. */
  value: z.int(),
  valueBrl: z.string(),
  credit: z.int(),
  creditBrl: z.string(),
  due: z.int(),
  dueBrl: z.string(),
  /** A dearer plan, for more than the operator trusts: an invoice asks for `due`, and the plan changes when it is paid. */
  worksWhenPaid: z.boolean(),
  /** What the company uses beyond the limits of the new plan; null where it does not. Nothing is deleted. */
  overAttendants: Used.nullable(),
  overConnections: Used.nullable(),
})
export type PlanQuote = z.infer<typeof PlanQuote>

const SubscriptionPause = z.object({
  id: z.int(),
  /** off: the company was switched off. */
  kind: z.enum(['off', 'pause']),
  from: day,
  /** The day on which it is billed again; null: until further notice. */
  until: day.nullable(),
  reason: z.string(),
  /** Whether the service rests, too: nothing of the company is sent. */
  restsService: z.boolean(),
})

/** From when and until when a company is billed, and what comes next. */
export const Subscription = z.object({
  companyId: z.int(),
  isAutomatic: z.boolean(),
  billedFrom: day.nullable(),
  billedThrough: day.nullable(),
  /** The last day of the trial, while it lasts. */
  trialEndsOn: day.nullable(),
  /** The trial is over and the plan was not taken up; nothing leaves until it is, and its first invoice is paid. */
  isResting: z.boolean(),
  /** Billing stopped on this day, since nothing was paid of the last periods; null: it did not. */
  unpaidSince: day.nullable(),
  /** The last day of the service, where it was ended. */
  endsOn: day.nullable(),
  endReason: z.string(),
  /** What the service is paid through; today where nothing of it is. An end comes on this day. */
  paidThrough: day,
  /** Whether who asks may end it. */
  mayEnd: z.boolean(),
  /** Null while nothing will be invoiced. */
  nextInvoice: z
    .object({ start: day, end: day, issuedOn: day, value: z.int(), valueBrl: z.string() })
    .nullable(),
  /** Cents that pay the next invoices. */
  credit: z.int(),
  creditBrl: z.string(),
  /** A change of plan that waits for its day. */
  change: z.object({ from: day, planName: z.string(), recurrence: Recurrence }).nullable(),
  /** A dearer plan that waits until its invoice is paid, by a day on which it is given up. */
  order: z
    .object({
      planName: z.string(),
      recurrence: Recurrence,
      invoiceId: z.int(),
      due: z.int(),
      dueBrl: z.string(),
      payBy: day,
    })
    .nullable(),
  pauses: z.array(SubscriptionPause),
})
export type Subscription = z.infer<typeof Subscription>

/** A change of plan by who pays for a company, or by a master. */
export const PlanChange = z.object({
  planId: id,
  recurrence: Recurrence,
  when: z.enum(['now', 'next']),
})

/** So many invoices are made at once without being asked for by their number. */
export const MOST_INVOICES_AT_ONCE = 2

/** The first day that is billed, and the end of a trial; what is not named stays. */
export const SubscriptionDays = z.object({
  billedFrom: day.optional(),
  trialEndsOn: day.optional(),
  /** How many invoices the first day makes at once; needed above MOST_INVOICES_AT_ONCE. */
  invoices: z.int().min(0).max(1_000).optional(),
})

/** What a first day of billing makes at once. */
export const BillingStart = z.object({
  count: z.int(),
  /** Cents of all of them. */
  value: z.int(),
  valueBrl: z.string(),
  /** The first and the last day that they pay; null where there is none. */
  from: day.nullable(),
  until: day.nullable(),
})
export type BillingStart = z.infer<typeof BillingStart>

/** What a pause of a subscription is made of: it ends on `until`, or lasts until further notice. */
export const SubscriptionPauseInput = z
  .object({
    from: day,
    until: day.nullable().default(null),
    reason: CancelInput.shape.reason,
    restsService: z.boolean().default(false),
  })
  .refine(({ from, until }) => until === null || until > from, {
    path: ['until'],
    message: 'O fim vem depois do início',
  })

export const SubscriptionResumeInput = z.object({ until: day })

const companyId = z.object({ companyId: id })
const pauseOf = z.object({ companyId: id, pauseId: id })

export const billing = {
  show: route('GET', '/companyBilling/:companyId', {
    needs: 'payPanel',
    summary: 'From when and until when a company is billed, its credit, and its next invoice.',
    params: companyId,
    reply: Subscription,
  }),
  takeUp: route('POST', '/companyBilling/:companyId/takeUp', {
    needs: 'payPanel',
    summary:
      'Takes up the plan after the trial, where the plan lets the company rest then: the first invoice is made, and the company is back when it is paid. ERR_PLAN_SAME where it is billed already, or only manually.',
    params: companyId,
    reply: Subscription,
    limit: { counts: 'calls', caller: 10 },
  }),
  change: route('PUT', '/companyBilling/:companyId', {
    needs: 'master',
    summary:
      'Changes the first day that is billed, or the end of the trial: invoices that wait and begin before it are cancelled. ERR_BAD_REQUEST where one of them was paid, and for a first day that makes more than two invoices at once, unless `invoices` is their number.',
    params: companyId,
    body: SubscriptionDays,
    reply: Subscription,
  }),
  start: route('GET', '/companyBilling/:companyId/start', {
    needs: 'master',
    summary: 'The invoices that a first day of billing makes at once, before it is chosen.',
    params: companyId,
    query: z.object({ billedFrom: day }),
    reply: BillingStart,
  }),
  end: route('POST', '/companyBilling/:companyId/end', {
    needs: 'payPanel',
    summary:
      'Ends the subscription with a reason, at the end of what is paid, or today: nothing is billed behind it, an invoice that is not paid asks for the days until then, and the company is switched off on the day after. ERR_NO_PERMISSION for users where the operator ends subscriptions himself.',
    params: companyId,
    body: CancelInput,
    reply: Subscription,
    limit: { counts: 'calls', caller: 10 },
  }),
  goOn: route('DELETE', '/companyBilling/:companyId/end', {
    needs: 'payPanel',
    summary: 'Withdraws the end of a subscription that has not come yet.',
    params: companyId,
    reply: Subscription,
  }),
  pause: route('POST', '/companyBilling/:companyId/pause', {
    needs: 'master',
    summary:
      'Lets the subscription rest: periods that begin within these days are not billed, and invoices of them that wait are cancelled. `restsService`: nothing of the company is sent either, as where it is suspended.',
    params: companyId,
    body: SubscriptionPauseInput,
    reply: Subscription,
  }),
  resume: route('PUT', '/companyBilling/:companyId/pause/:pauseId', {
    needs: 'master',
    summary: 'Ends a pause on a day, from which the company is billed again.',
    params: pauseOf,
    body: SubscriptionResumeInput,
    reply: Subscription,
  }),
  quote: route('GET', '/companyBilling/:companyId/plan', {
    needs: 'payPanel',
    summary:
      'What another plan or period costs, before it is chosen. ERR_PLAN_SAME for the current one, ERR_PLAN_UNPRICED for a period without a price, ERR_NO_PLAN_FOUND for what is not offered, ERR_SUBSCRIPTION_ENDED until a planned end is withdrawn.',
    params: companyId,
    query: PlanChange,
    reply: PlanQuote,
  }),
  changePlan: route('POST', '/companyBilling/:companyId/plan', {
    needs: 'payPanel',
    summary:
      'Changes the plan of a company, at once or with its next period; by users, to a dearer one for more than the operator trusts (`upgradeTrust`) when its invoice is paid. `due` is what the quote named: ERR_PRICE_CHANGED where it is another by now.',
    params: companyId,
    body: PlanChange.extend({ due: z.int().min(0) }),
    reply: Subscription,
    limit: { counts: 'calls', caller: 10 },
  }),
  keepPlan: route('DELETE', '/companyBilling/:companyId/plan', {
    needs: 'payPanel',
    summary: 'Withdraws a change of plan that waits for its day, or for its payment.',
    params: companyId,
    reply: Subscription,
  }),
}
