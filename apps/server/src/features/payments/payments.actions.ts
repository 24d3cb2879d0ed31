import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { isPayable } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import {
  allocate,
  companyOfPayment,
  freeValue,
  invoicesPaidBy,
  lockPayment,
  setReview,
} from '../invoices/invoices.ledger.queries.ts'
import { companyOfInvoice, lockInvoice } from '../invoices/invoices.queries.ts'
import { insertRefund } from '../invoices/invoices.refunds.queries.ts'
import { type InvoiceWriting, settleInvoice } from '../invoices/invoices.settle.actions.ts'
import { claimPayment, wantUnknownRefund } from '../invoices/invoices.unknown.queries.ts'
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
  })
}

/** Keeps the free cents of a payment as credit. Refuses with ERR_NOT_FOUND, ERR_PAYMENT_COMPANY, ERR_PAYMENT_SPENT. */
export async function creditPayment(
  platform: PlatformScope,
  { paymentId, companyId: named }: { paymentId: number; companyId?: number | undefined },
): Promise<void> {
  const own = await platform.transaction(sql => companyOfPayment(sql, paymentId))
  const companyId = named ?? own ?? refuse('ERR_PAYMENT_UNKNOWN', { field: 'companyId' })
  await inClaiming(platform, { paymentId, companyId }, async tx => {
    await holdFree(tx, paymentId)
    await setReview(tx, paymentId, null)
  })
}

/**
 * Gives the free cents of a payment back: by the provider that collected it, else the operator has done it. Refuses with
 * ERR_NOT_FOUND, ERR_PAYMENT_SPENT, ERR_PAYMENT_IN_USE.
 */
export async function refundPayment(
  platform: PlatformScope,
  { paymentId, reason, by }: { paymentId: number; reason: string; by: string },
): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfPayment(sql, paymentId))
  if (companyId === null)
    return platform.transaction(sql => wantUnknownRefund(sql, paymentId, { reason, recordedBy: by }))
  await platform.inCompany(companyId).transaction(async tx => {
    const value = await holdFree(tx, paymentId)
    const { providerId } = (await lockPayment(tx, paymentId))!
    // one that was carried here from another installation has no id at a provider of this one
    const isOfProvider = providerId !== ''
    if (isOfProvider && (await invoicesPaidBy(tx, paymentId)).length > 0) refuse('ERR_PAYMENT_IN_USE')
    const state = isOfProvider ? ('wanted' as const) : ('done' as const)
    await insertRefund(tx.sql, { companyId: tx.companyId, paymentId, value, reason, state, recordedBy: by })
    await setReview(tx, paymentId, null)
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
