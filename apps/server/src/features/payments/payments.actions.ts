import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { once, type Requested } from '../companies/companies.requests.queries.ts'
import { isPayable } from '../invoices/invoices.actions.ts'
import { applyCredit, chargeLess } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { reopenInvoice, voidPayments } from '../invoices/invoices.ledger.actions.ts'
import {
  allocate,
  companyOfPayment,
  freeValue,
  lockPayment,
  type PaymentRow,
  setReview,
  updatePayment,
  withdrawCents,
} from '../invoices/invoices.ledger.queries.ts'
import { companyOfInvoice, lockInvoice } from '../invoices/invoices.queries.ts'
import { insertRefund } from '../invoices/invoices.refunds.queries.ts'
import { insertGift } from '../invoices/invoices.returns.queries.ts'
import { type InvoiceWriting, settleInvoice } from '../invoices/invoices.settle.actions.ts'
import { claimPayment, refundedOf, wantUnknownRefund } from '../invoices/invoices.unknown.queries.ts'
import { holdClient } from '../plans/plans.queries.ts'
import { openSubscription } from '../subscriptions/subscriptions.queries.ts'

/**
 * Pays an invoice with the free cents of a payment; the rest is credit of its company. Refuses with ERR_NOT_FOUND,
 * ERR_PAYMENT_COMPANY, ERR_PAYMENT_SPENT, ERR_INVOICE_NOT_PENDING.
 */
export async function assignPayment(
  platform: PlatformScope,
  writing: InvoiceWriting,
  { paymentId, invoiceId }: { paymentId: number; invoiceId: number },
): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  await inClaiming(platform, { paymentId, companyId }, async tx => {
    const free = await holdFree(tx, paymentId)
    const invoice = await lockInvoice(tx, invoiceId)
    if (!isPayable(invoice)) refuse('ERR_INVOICE_NOT_PENDING')
    const value = Math.min(free, invoice.value - invoice.paidValue)
    await allocate(tx, { paymentId, invoiceId, value })
    await setReview(tx, paymentId, null)
    await settleInvoice(tx, invoiceId, writing)
    await applyCredit(tx, writing)
  })
}

/** Keeps the free cents of a payment as credit, which pays what is owed. Refuses with ERR_NOT_FOUND, ERR_PAYMENT_COMPANY, ERR_PAYMENT_SPENT. */
export async function creditPayment(
  platform: PlatformScope,
  writing: InvoiceWriting,
  { paymentId, companyId: named }: { paymentId: number; companyId?: number | undefined },
): Promise<void> {
  const own = await platform.transaction(sql => companyOfPayment(sql, paymentId))
  const companyId = named ?? own ?? refuse('ERR_PAYMENT_UNKNOWN', { field: 'companyId' })
  await inClaiming(platform, { paymentId, companyId }, async tx => {
    await holdFree(tx, paymentId)
    await setReview(tx, paymentId, null)
    await applyCredit(tx, writing)
  })
}

interface Refunded extends Requested {
  /** Cents; null: all. */
  value: number | null
  reason: string
  by: string
}

/**
 * Gives free cents of a payment back: by the provider that collected it, else the operator has done it. Credit of an earlier version
 * is taken back. Refuses with ERR_NOT_FOUND, and with ERR_PAYMENT_SPENT where fewer are free.
 */
export async function refundPayment(
  platform: PlatformScope,
  refunded: Refunded & { paymentId: number },
): Promise<void> {
  const { paymentId, value: part, reason, by } = refunded
  const companyId = await platform.transaction(sql => companyOfPayment(sql, paymentId))
  if (companyId === null)
    return platform.transaction(sql => wantUnknownRefund(sql, paymentId, { reason, recordedBy: by }))
  await platform.inCompany(companyId).transaction(async tx => {
    await once(tx, refunded, async () => {
      const free = await holdFree(tx, paymentId)
      const value = part ?? free
      if (value > free) refuse('ERR_PAYMENT_SPENT', { field: 'valueBrl' })
      await giveBack(tx, { paymentId, value, reason, by })
      if (value === free) await setReview(tx, paymentId, null)
      return null
    })
  })
}

async function giveBack(
  tx: Tx,
  { paymentId, value, reason, by }: { paymentId: number; value: number; reason: string; by: string },
): Promise<void> {
  const payment = (await lockPayment(tx, paymentId))!
  if (payment.source === 'credit') return takeCreditBack(tx, payment, value)
  const { providerId } = payment
  // one that was carried here from another installation has no id at a provider of this one
  const state = providerId === '' ? ('done' as const) : ('wanted' as const)
  await insertRefund(tx.sql, { companyId: tx.companyId, paymentId, value, reason, state, recordedBy: by })
}

/** What an earlier version granted was never paid: free cents of it are no money to give back, and count nowhere any more. */
async function takeCreditBack(tx: Tx, { id, value }: PaymentRow, taken: number): Promise<void> {
  await updatePayment(tx, id, taken === value ? { voidedAt: databaseTime() } : { value: value - taken })
  tx.note('credit is taken back', { paymentId: id, value: taken })
}

/**
 * Gives back what was paid of an invoice, or a part of it, of its newest payments first; what credit of an earlier version paid is
 * credit again. As a gift the invoice asks for so much less; otherwise it is owed again. Refuses with ERR_NOT_FOUND,
 * ERR_INVOICE_CANCELLED, and with ERR_PAYMENT_SPENT where less was paid.
 */
export async function refundInvoice(
  platform: PlatformScope,
  writing: InvoiceWriting,
  refunded: Refunded & { invoiceId: number; isGift: boolean },
): Promise<void> {
  const { invoiceId, isGift, value: part, reason, by } = refunded
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  await platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    await once(tx, refunded, async () => {
      const invoice = await lockInvoice(tx, invoiceId)
      if (invoice.status === 'CANCELLED') refuse('ERR_INVOICE_CANCELLED')
      const value = part ?? invoice.paidValue
      if (value === 0 || value > invoice.paidValue) refuse('ERR_PAYMENT_SPENT', { field: 'valueBrl' })
      let back = 0
      for (const taken of await withdrawCents(tx, { invoiceId }, value)) {
        // what an earlier version granted is credit again: it was never paid
        if ((await lockPayment(tx, taken.paymentId))!.source === 'credit') continue
        await giveBack(tx, { ...taken, reason, by })
        if (isGift) await insertGift(tx, { ...taken, by })
        back += taken.value
      }
      if (isGift) await chargeLess(tx, writing, { invoice, value, back, reason, by })
      else await reopenInvoice(tx, writing, invoice, back)
      await applyCredit(tx, writing)
      return null
    })
  })
}

/**
 * Takes back a payment that a master entered: what it paid is owed again. Refuses with ERR_NOT_FOUND, ERR_PAYMENT_OF_PROVIDER, and
 * with ERR_PAYMENT_SPENT where a part of it was given back.
 */
export async function undoPayment(
  platform: PlatformScope,
  writing: InvoiceWriting,
  paymentId: number,
): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfPayment(sql, paymentId))
  if (companyId === null) return refuse('ERR_PAYMENT_OF_PROVIDER')
  await platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const payment = (await lockPayment(tx, paymentId)) ?? refuse('ERR_NOT_FOUND')
    if (payment.source !== 'manual') refuse('ERR_PAYMENT_OF_PROVIDER')
    if ((await refundedOf(tx.sql, paymentId)) > 0) refuse('ERR_PAYMENT_SPENT')
    await voidPayments(tx, writing, [payment])
    await applyCredit(tx, writing)
  })
}

/** A transaction of a company in which it gets a payment that has none: what is refused leaves the payment without it. */
const inClaiming = (
  platform: PlatformScope,
  { paymentId, companyId }: { paymentId: number; companyId: number },
  work: (tx: Tx) => Promise<void>,
) =>
  platform.transactionOf(
    companyId,
    async sql => {
      await findClient(sql, companyId)
      // the order of locks is that of holdSubscription, so the subscription is created before the company is locked
      const { timeZone } = platform.inCompany(companyId)
      await openSubscription({ sql, companyId, timeZone })
      await holdClient(sql, companyId)
      const own = await companyOfPayment(sql, paymentId)
      if (own !== null && own !== companyId) refuse('ERR_PAYMENT_COMPANY')
      if (own === null) await claimPayment(sql, paymentId, companyId)
    },
    work,
  )

/** The free cents of a payment, which cannot change until the commit. Refuses with ERR_NOT_FOUND, ERR_PAYMENT_SPENT. */
async function holdFree(tx: Tx, paymentId: number): Promise<number> {
  await holdSubscription(tx)
  if (!(await lockPayment(tx, paymentId))) refuse('ERR_NOT_FOUND')
  const free = await freeValue(tx, paymentId)
  return free > 0 ? free : refuse('ERR_PAYMENT_SPENT')
}
