import { z } from 'zod'
import { amount, CancelInput, Invoice } from './invoices.ts'
import { day, id, requestId, route } from './kit.ts'
import { rateOfPercent } from './pricing.rules.ts'

/** What a price is reduced by: percent of it, or cents; the other one is null. */
const reduction = { percent: z.int().nullable(), value: z.int().nullable(), valueBrl: z.string() }

/** What a company pays less for some of its periods. */
export const Discount = z.object({
  id: z.int(),
  ...reduction,
  /** So many periods cost less, and so many were invoiced so. */
  periods: z.int(),
  used: z.int(),
  reason: z.string(),
  /** Who gave it; empty where it came with a coupon. */
  recordedBy: z.string(),
  couponCode: z.string(),
  /** Whether a next period is reduced by it. */
  isOpen: z.boolean(),
})
export type Discount = z.infer<typeof Discount>

export const Readjustment = z.object({
  id: z.int(),
  /** Hundredths of a percent. */
  rate: z.int(),
  /** Periods that begin from this day on cost so much more. */
  from: day,
  reason: z.string(),
  recordedBy: z.string(),
  isApplied: z.boolean(),
})
export type Readjustment = z.infer<typeof Readjustment>

/** What changes the price of a company's plan. */
export const Pricing = z.object({
  companyId: z.int(),
  discounts: z.array(Discount),
  readjustments: z.array(Readjustment),
})
export type Pricing = z.infer<typeof Pricing>

const REQUIRED = 'Required'
const { reason } = CancelInput.shape

/** A one-off charge: it pays no period. */
export const ChargeInput = z.object({
  description: z.string({ error: REQUIRED }).trim().min(2, 'Too Short!').max(100, 'Too Long!'),
  valueBrl: amount('Valor como 1.234,50'),
  dueDate: z.string({ error: REQUIRED }).pipe(day),
  requestId,
})

/** Of the price: what is all of it is no discount. */
const MOST_PERCENT = 99
const MOST_PERIODS = 120

const reducedBy = {
  /** Percent of the price; else `valueBrl` is the sum. */
  percent: z.int().min(1).max(MOST_PERCENT, `De 1 a ${MOST_PERCENT}`).nullable().default(null),
  valueBrl: amount('Valor como 1.234,50').nullable().default(null),
  periods: z.int().min(1).max(MOST_PERIODS, `De 1 a ${MOST_PERIODS}`),
}

const oneOfBoth = (
  { percent, valueBrl }: { percent: number | null; valueBrl: string | null },
  context: z.RefinementCtx,
) => {
  if ((percent === null) === (valueBrl === null))
    context.addIssue({ code: 'custom', path: ['percent'], message: 'Percentual ou valor' })
}

export const DiscountInput = z.object({ ...reducedBy, reason, requestId }).superRefine(oneOfBoth)

const code = z
  .string({ error: REQUIRED })
  .trim()
  .regex(/^[A-Za-z0-9-]{3,30}$/, 'De 3 a 30 letras, números e hífens')

/** A code with which who signs up gets a discount. */
export const Coupon = z.object({
  id: z.int(),
  code: z.string(),
  ...reduction,
  periods: z.int(),
  /** Null: any number. */
  mostUses: z.int().nullable(),
  /** Companies that signed up with it, and open sign-ups that hold it. */
  uses: z.int(),
  /** The last day; null: until it is closed. */
  endsOn: day.nullable(),
  isOpen: z.boolean(),
})
export type Coupon = z.infer<typeof Coupon>

export const CouponInput = z
  .object({
    code,
    ...reducedBy,
    mostUses: z.int().min(1).max(1_000_000).nullable().default(null),
    endsOn: day.nullable().default(null),
  })
  .superRefine(oneOfBoth)

/** From −50 to 100. */
const MOST_RATE = 10_000
const LEAST_RATE = -5_000
const percent = z
  .string({ error: REQUIRED })
  .max(10, 'Percentual como 5,23')
  .refine(written => {
    const rate = rateOfPercent(written)
    return rate !== null && rate !== 0 && rate >= LEAST_RATE && rate <= MOST_RATE
  }, 'Percentual como 5,23')

export const ReadjustmentInput = z.object({
  /** `5,23`: an agreed percentage, or what an index has risen by. */
  percent,
  from: z.string({ error: REQUIRED }).pipe(day),
  reason,
})

const companyId = z.object({ companyId: id })

export const pricing = {
  show: route('GET', '/companyPricing/:companyId', {
    needs: 'payPanel',
    summary:
      'The discounts and readjustments of a company: of any for masters, of the own one for those who pay.',
    params: companyId,
    reply: Pricing,
  }),
  charge: route('POST', '/companyPricing/:companyId/charge', {
    needs: 'master',
    summary:
      'Charges a company a sum apart from its periods: set-up, hardware, hours. ERR_NO_COMPANY_PLAN where it has no plan.',
    params: companyId,
    body: ChargeInput,
    reply: Invoice,
  }),
  discount: route('POST', '/companyPricing/:companyId/discount', {
    needs: 'master',
    summary:
      'Reduces the price of so many of the next periods that are invoiced; of several discounts the oldest is used first.',
    params: companyId,
    body: DiscountInput,
    reply: Pricing,
  }),
  endDiscount: route('DELETE', '/companyPricing/:companyId/discount/:discountId', {
    needs: 'master',
    summary:
      'Ends a discount: periods that are invoiced from now on cost the whole price. ERR_NOT_FOUND where it has ended.',
    params: z.object({ companyId: id, discountId: id }),
    reply: Pricing,
  }),
  readjust: route('POST', '/companyPricing/:companyId/readjustment', {
    needs: 'master',
    summary:
      'Announces a new price: the company is written to, and periods that begin from that day on, at least 30 days from today, cost so much more. It replaces one that waits.',
    params: companyId,
    body: ReadjustmentInput,
    reply: Pricing,
  }),
  withdraw: route('DELETE', '/companyPricing/:companyId/readjustment', {
    needs: 'master',
    summary: 'Withdraws a readjustment whose day has not come. ERR_NOT_FOUND where none waits.',
    params: companyId,
    reply: Pricing,
  }),
  coupons: route('GET', '/coupons', {
    needs: 'master',
    summary: 'The coupons of the store, the newest first; at most 200.',
    reply: z.array(Coupon),
  }),
  addCoupon: route('POST', '/coupons', {
    needs: 'master',
    summary: 'Adds a coupon. ERR_NAME_EXISTS for a code that is there already, also of a closed one.',
    body: CouponInput,
    reply: Coupon,
  }),
  closeCoupon: route('DELETE', '/coupons/:couponId', {
    needs: 'master',
    summary: 'Closes a coupon: no sign-up takes it any more. Who has its discount keeps it.',
    params: z.object({ couponId: id }),
    reply: Coupon,
  }),
  offered: route('GET', '/coupon/:code', {
    needs: 'nobody',
    summary:
      'What a coupon of the store gives. ERR_COUPON_OVER for one that is unknown, closed, ended or used up.',
    params: z.object({ code }),
    reply: Coupon.pick({ code: true, percent: true, value: true, valueBrl: true, periods: true }),
    limit: { counts: 'calls', caller: 20 },
  }),
}
