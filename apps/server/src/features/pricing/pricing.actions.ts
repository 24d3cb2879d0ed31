import { daysFrom, dueWithin, parseBrl } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import { ANNOUNCED_DAYS, rateOfPercent } from '@balcao/contract/pricing.rules.ts'
import type { ChargeInput, DiscountInput, Pricing, ReadjustmentInput } from '@balcao/contract/pricing.ts'
import type { z } from 'zod'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope, Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { recipientsOf } from '../billingNotices/billingNotices.recipients.queries.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { once } from '../companies/companies.requests.queries.ts'
import { addOnce } from '../invoices/invoices.actions.ts'
import { billCompany, reissueAhead } from '../invoices/invoices.billing.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { writeMail } from '../mails/mails.actions.ts'
import { readjustPlan } from '../plans/plans.actions.ts'
import { accountOf } from '../subscriptions/subscriptions.queries.ts'
import { dropReadjustment, waitingReadjustment } from '../subscriptions/subscriptions.terms.queries.ts'
import { countUse } from './pricing.coupons.queries.ts'
import {
  discountsOf,
  endDiscount,
  insertDiscount,
  insertReadjustment,
  readjustmentsDue,
  readjustmentsOf,
} from './pricing.queries.ts'
import { readjustmentLetter } from './pricing.text.ts'

export const shownPricing = async (tx: Tx): Promise<Pricing> => ({
  companyId: tx.companyId,
  discounts: await discountsOf(tx),
  readjustments: await readjustmentsOf(tx),
})

/**
 * Charges a company a sum that pays no period: its invoice holds no day. Credit of the company pays it. Refuses with
 * ERR_NO_COMPANY_PLAN, and with ERR_BAD_REQUEST a due date that is over or more than a year away.
 */
export async function chargeOnce(
  tx: Tx,
  writing: InvoiceWriting,
  input: z.output<typeof ChargeInput>,
): Promise<Invoice> {
  const { description, valueBrl, dueDate } = input
  await holdSubscription(tx)
  const { plan, today } = await accountOf(tx, writing.now)
  if (!plan) return refuse('ERR_NO_COMPANY_PLAN')
  if (dueDate < today || !dueWithin(today, dueDate))
    refuse('ERR_BAD_REQUEST', { field: 'dueDate', message: 'De hoje a um ano' })
  const values = {
    ...{ planId: plan.id, billingType: plan.billingType, description, dueDate, value: parseBrl(valueBrl)! },
    // it holds no day, and counts in no month
    ...{ startInvoicePeriod: today, endInvoicePeriod: today, releasedFrom: today },
    ...{ recurrence: 1 as const, anchor: Number(today.slice(8)) },
  }
  return addOnce(tx, writing, input, values)
}

export async function giveDiscount(
  tx: Tx,
  input: z.output<typeof DiscountInput>,
  recordedBy: string,
): Promise<void> {
  const { valueBrl, requestId: _request, ...given } = input
  await holdSubscription(tx)
  const value = valueBrl === null ? null : parseBrl(valueBrl)
  await once(tx, input, async () => {
    await insertDiscount(tx.sql, { ...given, value, recordedBy, companyId: tx.companyId })
    return null
  })
}

/** The discount of the coupon that a company signed up with. */
export async function giveCoupon(sql: Sql, companyId: number, couponId: number): Promise<void> {
  await insertDiscount(sql, { ...(await countUse(sql, couponId)), companyId, couponId })
}

/** Refuses with ERR_NOT_FOUND. */
export async function stopDiscount(tx: Tx, discountId: number): Promise<void> {
  await holdSubscription(tx)
  if (!(await endDiscount(tx, discountId, databaseTime()))) refuse('ERR_NOT_FOUND')
}

/**
 * Announces a readjustment to who pays for the company; it replaces one that waits. Refuses with ERR_NO_COMPANY_PLAN, and with
 * ERR_BAD_REQUEST a day within the days of its announcement, or where one has come and is not applied yet.
 */
export async function announceReadjustment(
  tx: Tx,
  writing: InvoiceWriting,
  { percent, from, reason }: z.output<typeof ReadjustmentInput>,
  recordedBy: string,
): Promise<void> {
  await holdSubscription(tx)
  const { plan, today } = await accountOf(tx, writing.now)
  if (!plan) return refuse('ERR_NO_COMPANY_PLAN')
  if (from < daysFrom(today, ANNOUNCED_DAYS) || !dueWithin(today, from))
    refuse('ERR_BAD_REQUEST', {
      field: 'from',
      message: `De ${ANNOUNCED_DAYS} dias a um ano a partir de hoje`,
    })
  const isReplaced = await dropFuture(tx, today)
  const rate = rateOfPercent(percent)!
  const id = await insertReadjustment(tx, { rate, fromDay: from, reason, recordedBy })
  if (isReplaced) await reissueAhead(tx, writing)
  const letter = readjustmentLetter({ planName: plan.name, rate, from, reason })
  for (const to of new Set((await recipientsOf(tx)).map(({ email }) => email).filter(Boolean)))
    await writeMail(tx, { cause: `readjustment:${id}:${to}`, to, letter })
  tx.note('a readjustment is announced', { rate, from })
}

async function dropFuture(tx: Tx, today: string): Promise<boolean> {
  const waiting = await waitingReadjustment(tx.sql, tx.companyId)
  if (waiting && waiting.fromDay <= today) refuse('ERR_BAD_REQUEST', { field: 'from' })
  if (waiting) await dropReadjustment(tx.sql, tx.companyId)
  return waiting !== null
}

/** An invoice that has its price already is made again by the next billing. Refuses with ERR_NOT_FOUND where none waits for a day to come. */
export async function withdrawReadjustment(tx: Tx, writing: InvoiceWriting): Promise<void> {
  await holdSubscription(tx)
  const waiting = await waitingReadjustment(tx.sql, tx.companyId)
  if (!waiting || waiting.fromDay <= (await dayThere(tx, writing.now))) return refuse('ERR_NOT_FOUND')
  await dropReadjustment(tx.sql, tx.companyId)
  await reissueAhead(tx, writing)
}

/** Gives plans their new prices on the day; what is due of days before is billed at the old ones. */
export async function applyReadjustments(scopes: Scopes, writing: InvoiceWriting): Promise<void> {
  const platform: PlatformScope = scopes.platform()
  const due = await platform.transaction(sql => readjustmentsDue(sql, writing.now))
  const apply = async (companyId: number) => {
    await billCompany(platform.inCompany(companyId), writing)
    await readjustPlan(platform, companyId, writing.now)
  }
  await eachByItself(due, apply, 'to readjust a price')
}
