import { isOwed, parseBrl } from '@balcao/contract/invoices.rules.ts'
import type { Invoice, InvoiceInput, PaymentInput } from '@balcao/contract/invoices.ts'
import type { PlatformReason } from '@balcao/contract/ledger.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { together } from '../../platform/postgres/db.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { chosenCollector } from '../companies/companies.settings.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { invoiceChanged, invoiceLeaving } from './invoices.events.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import { recordManualPayment, voidManualPayments } from './invoices.ledger.actions.ts'
import { creditOf, withdrawFromInvoice } from './invoices.ledger.queries.ts'
import {
  companyOfInvoice,
  deleteInvoice,
  type InvoiceRow,
  insertInvoice,
  lockInvoice,
  shownInvoice,
  updateInvoice,
} from './invoices.queries.ts'
import {
  type InvoiceWriting,
  payWithCredit,
  publishInvoice,
  settleInvoice,
} from './invoices.settle.actions.ts'

type Billing = Pick<Platform, 'scopes' | 'config'>

/** Who receives PIX payments; null where the operator configured none, or a provider collects. */
export async function payeeOf({ scopes, config }: Billing): Promise<PixPayee | null> {
  const { pixKey, pixName, pixCity } = config
  if (!pixKey) return null
  const collector = await scopes.platform().transaction(sql => chosenCollector(sql, config))
  return collector ? null : { key: pixKey, name: pixName, city: pixCity }
}

/** What the writers of invoices need, now. */
export const billingNow = async (billing: Billing): Promise<InvoiceWriting> => ({
  payee: await payeeOf(billing),
  now: new Date(),
})

/** Adds one manually (OP-125); credit of the company pays it. Refuses with ERR_NO_PLAN_FOUND, ERR_INVOICE_PLAN. */
export async function addInvoice(
  platform: PlatformScope,
  billing: InvoiceWriting,
  planId: number,
  { valueBrl, ...input }: InvoiceInput,
): Promise<Invoice> {
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const companyId = plan.companyId ?? refuse('ERR_INVOICE_PLAN')
  return platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const anchor = Number(input.startInvoicePeriod.slice(8))
    const row = await insertInvoice(tx, { ...input, planId, value: parseBrl(valueBrl)!, anchor })
    return announceNew(tx, row!, billing)
  })
}

/** Publishes an invoice that was inserted, paid by the credit of the company as far as it goes. */
export async function announceNew(tx: Tx, row: InvoiceRow, billing: InvoiceWriting): Promise<Invoice> {
  const [published, credit] = await together(
    tx.sql,
    () => publishInvoice(tx, row, null, billing),
    () => creditOf(tx),
  )
  return (await payWithCredit(tx, row, credit)) === 0 ? published : settleInvoice(tx, row.id, billing)
}

/**
 * Says that an invoice was paid, wholly or in part, or takes that back. Refuses with ERR_NOT_FOUND, ERR_INVOICE_CANCELLED, and
 * with ERR_PAYMENT_OF_PROVIDER where no payment by hand is what paid it.
 */
export async function payInvoice(
  platform: PlatformScope,
  billing: InvoiceWriting,
  { invoiceId, by, ...payment }: PaymentInput & { invoiceId: number; by: string },
): Promise<Invoice> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  return platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const invoice = await lockInvoice(tx, invoiceId)
    if (invoice.status === 'CANCELLED') refuse('ERR_INVOICE_CANCELLED')
    const { payDate, status, transactionReceiptUrl: receiptUrl, valueBrl } = payment
    const value = valueBrl === undefined ? null : parseBrl(valueBrl)
    if (payDate === null) await voidManualPayments(tx, billing, invoice)
    else
      await recordManualPayment(tx, invoice, { paidOn: payDate, status, receiptUrl, value, recordedBy: by })
    return settleInvoice(tx, invoiceId, billing)
  })
}

/** Cancels an invoice; what was paid on it becomes credit. Refuses with ERR_NOT_FOUND, ERR_INVOICE_CANCELLED. */
export async function cancelInvoice(
  platform: PlatformScope,
  billing: InvoiceWriting,
  { invoiceId, reason, by }: { invoiceId: number; reason: string; by: string },
): Promise<Invoice> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  return platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    if ((await lockInvoice(tx, invoiceId)).status === 'CANCELLED') refuse('ERR_INVOICE_CANCELLED')
    return cancelIn(tx, billing, { invoiceId, reason, by })
  })
}

/** The same in a transaction of its company, whose subscription is locked. */
async function cancelIn(
  tx: Tx,
  writing: InvoiceWriting,
  { invoiceId, reason, by }: { invoiceId: number; reason: string; by: string },
  more: Partial<InvoiceRow> = {},
): Promise<Invoice> {
  const credited = await withdrawFromInvoice(tx, invoiceId)
  const cancelledAt = writing.now.toISOString()
  return settleInvoice(tx, invoiceId, writing, {
    ...{ ...more, cancelledAt, cancelReason: reason, cancelledBy: by },
    // what was given back before was paid again since, and that is credit
    ...(credited.length > 0 && { refundedValue: 0 }),
  })
}

/** Writes where an invoice is paid, or why it cannot be, and pushes it. */
export async function markInvoice(
  tx: Tx,
  payee: PixPayee | null,
  invoiceId: number,
  marks: Partial<Pick<InvoiceRow, 'paymentLink' | 'paymentProblem'>>,
): Promise<void> {
  const row = await updateInvoice(tx, invoiceId, marks)
  const invoice = shownInvoice(row, payee)
  tx.emit(invoiceChanged, { planId: row.planId, push: { action: 'update', invoice } })
}

/** Its period stays billed. Refuses with ERR_NOT_FOUND, and an overdue, cancelled or paid one with ERR_INVOICE_NOT_PENDING. */
export async function removeInvoice(platform: PlatformScope, invoiceId: number): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  await platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const { planId, status, paidValue } = await lockInvoice(tx, invoiceId)
    if (status !== 'PENDING' || paidValue > 0) refuse('ERR_INVOICE_NOT_PENDING')
    await tx.involve(invoiceLeaving, { invoiceId })
    await deleteInvoice(tx, invoiceId)
    await settleAccountStatus(tx, new Date())
    tx.emit(invoiceChanged, { planId, push: { action: 'delete', invoiceId } })
  })
}

/** Cancels an invoice whose period has not begun, so that it can be billed otherwise. */
export const releaseInvoice = (
  tx: Tx,
  writing: InvoiceWriting,
  invoice: InvoiceRow,
  reason: PlatformReason,
) =>
  cancelIn(
    tx,
    writing,
    { invoiceId: invoice.id, reason, by: '' },
    { releasedFrom: invoice.startInvoicePeriod },
  )

/** Whether somebody may pay it now. */
export const isPayable = (invoice: InvoiceRow | null): invoice is InvoiceRow =>
  invoice !== null && isOwed(invoice) && invoice.value > invoice.paidValue
