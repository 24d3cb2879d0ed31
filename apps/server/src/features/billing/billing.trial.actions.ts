import { isOwed } from '@balcao/contract/invoices.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { releaseInvoice } from '../invoices/invoices.actions.ts'
import { nextInvoiceOf, takeUpUnpaid } from '../invoices/invoices.billing.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { automaticInvoices } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { accountOf, updateSubscription } from '../subscriptions/subscriptions.queries.ts'
import { refuseManyInvoices } from './billing.start.queries.ts'

/**
 * Prolongs the trial of a company, also one that is over: invoices that wait are cancelled where one begins before its
 * new end, and billing that stopped before goes on behind it, also where what was not paid is cancelled already. Refuses with
 * ERR_BAD_REQUEST and the field where one of them was paid.
 */
export async function prolongTrial(tx: Tx, writing: InvoiceWriting, trialEndsOn: string): Promise<void> {
  const { billedFrom, unpaidSince, trialEndsOn: before } = await holdSubscription(tx)
  const [first, ...others] = await automaticInvoices(tx)
  // the periods behind one that begins early are of its days of the month: they are billed anew, too
  const moved = first && first.startInvoicePeriod < trialEndsOn ? [first, ...others] : []
  // a company that paid has no trial any more
  if (!moved.every(one => isOwed(one) && one.paidValue === 0))
    refuse('ERR_BAD_REQUEST', { field: 'trialEndsOn', message: 'Um período já foi pago' })
  for (const invoice of moved) await releaseInvoice(tx, writing, invoice, 'trialExtended')
  const begun = moved.length > 0 ? { billedThrough: null, anchor: null } : {}
  const goesOn = moved.length > 0 || (unpaidSince !== null && unpaidSince < trialEndsOn)
  // its days are not billed, and those behind it are, also where nothing ran on its last ones; a later first day stays, and
  // a plan that lets the company rest is billed when it is taken up
  const { plan } = await accountOf(tx, writing.now)
  const isByTrial =
    billedFrom === null ? !plan?.restsAfterTrial : billedFrom < trialEndsOn || billedFrom === before
  await updateSubscription(tx, {
    ...begun,
    ...(goesOn && { unpaidSince: null }),
    ...(isByTrial && { billedFrom: trialEndsOn }),
    trialEndsOn,
  })
  await applyCredit(tx, writing)
  await settleAccountStatus(tx, writing.now)
  tx.note('a trial was prolonged', { trialEndsOn })
}

/**
 * Sets the first day that is billed: while a trial lasts nothing before its end. Refuses as `refuseManyInvoices`.
 */
export async function billFrom(
  tx: Tx,
  now: Date,
  { billedFrom, invoices }: { billedFrom: string; invoices: number | undefined },
): Promise<void> {
  const { trialEndsOn } = await holdSubscription(tx)
  await refuseManyInvoices(tx, { billedFrom, invoices }, now)
  const { today, signUpTrialEnd } = await accountOf(tx, now)
  const trialEnd = trialEndsOn ?? signUpTrialEnd
  const lasts = trialEnd !== null && trialEnd > today && billedFrom < trialEnd
  await updateSubscription(tx, { billedFrom: lasts ? trialEnd : billedFrom })
}

/**
 * A plan that lets the company rest after its trial is billed from the end of it, or today; masters take up, too, a company whose
 * billing stopped since it did not pay. Refuses with ERR_PLAN_SAME.
 */
export async function takeUpPlan(tx: Tx, now: Date, isMaster: boolean): Promise<void> {
  const subscription = await holdSubscription(tx)
  if (subscription.unpaidSince !== null && isMaster) return takeUpUnpaid(tx, now)
  const account = await accountOf(tx, now)
  const { today, plan } = account
  const { trialEnd, waits } = await nextInvoiceOf(tx, subscription, account)
  if (!waits || !trialEnd || !plan?.automaticInvoice) return refuse('ERR_PLAN_SAME')
  const isOver = trialEnd <= today
  await updateSubscription(tx, { billedFrom: isOver ? today : trialEnd })
  tx.note('a company takes its plan up', { trialEnd })
}
