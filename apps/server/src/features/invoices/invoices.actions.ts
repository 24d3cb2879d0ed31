import { isOwed, paidWithin, parseBrl } from '@balcao/contract/invoices.rules.ts'
import type { Invoice, InvoiceInput, PaymentInput } from '@balcao/contract/invoices.ts'
import type { PlatformReason } from '@balcao/contract/ledger.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseDate } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { together } from '../../platform/postgres/db.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { once, type Requested } from '../companies/companies.requests.queries.ts'
import { billingSettings, chosenCollector } from '../companies/companies.settings.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { applyCredit, endPeriodEarly } from './invoices.credit.actions.ts'
import { invoiceChanged, invoiceLeaving } from './invoices.events.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import { recordManualPayment, voidManualPayments, voidPayments } from './invoices.ledger.actions.ts'
import { creditOf, creditsOfEarlier, withdrawFromInvoice } from './invoices.ledger.queries.ts'
import {
  companyOfInvoice,
  deleteInvoice,
  type InvoiceRow,
  insertInvoice,
  lockInvoice,
  type NewInvoice,
  shownInvoice,
  updateInvoice,
} from './invoices.queries.ts'
import { dropReturnsOf } from './invoices.returns.queries.ts'
import {
  type InvoiceWriting,
  lateToday,
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
  ...(await billing.scopes.platform().transaction(billingSettings)),
  now: databaseDate(),
})

/** Adds one manually (OP-125); credit of the company pays it. Refuses with ERR_NO_PLAN_FOUND, ERR_INVOICE_PLAN. */
export async function addInvoice(
  platform: PlatformScope,
  billing: InvoiceWriting,
  planId: number,
  asked: InvoiceInput,
): Promise<Invoice> {
  const { valueBrl, requestId: _request, ...input } = asked
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const companyId = plan.companyId ?? refuse('ERR_INVOICE_PLAN')
  return platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const anchor = Number(input.startInvoicePeriod.slice(8))
    return addOnce(tx, billing, asked, { ...input, planId, value: parseBrl(valueBrl)!, anchor })
  })
}

/** Inserts and publishes an invoice, once for each request, paid by the credit of the company as far as it goes. */
export async function addOnce(
  tx: Tx,
  billing: InvoiceWriting,
  asked: Requested & object,
  values: NewInvoice,
): Promise<Invoice> {
  const made = { invoice: null as Invoice | null }
  const invoiceId = await once(tx, asked, async () => {
    const row = (await insertInvoice(tx, values))!
    made.invoice = await announceNew(tx, row, billing)
    return row.id
  })
  return made.invoice ?? shownInvoice(await lockInvoice(tx, invoiceId), billing.payee)
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
    const { payDate, status, transactionReceiptUrl: receiptUrl, valueBrl, paidValue: seen = null } = payment
    const value = valueBrl === undefined ? null : parseBrl(valueBrl)
    if (payDate !== null && !paidWithin(await dayThere(tx, billing.now), invoice.dueDate, payDate))
      refuse('ERR_BAD_REQUEST', {
        field: 'payDate',
        message: 'O dia fica a no máximo um ano de hoje ou do vencimento',
      })
    if (payDate === null) await voidManualPayments(tx, billing, invoice)
    else
      await recordManualPayment(tx, billing, invoice, {
        ...{ paidOn: payDate, status, receiptUrl, value, seen, recordedBy: by },
      })
    await settleInvoice(tx, invoiceId, billing)
    await applyCredit(tx, billing)
    const late = await lateToday(tx, billing.late ?? null, billing.now)
    return shownInvoice(await lockInvoice(tx, invoiceId), billing.payee, late)
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
    const invoice = await lockInvoice(tx, invoiceId)
    if (invoice.status === 'CANCELLED') refuse('ERR_INVOICE_CANCELLED')
    await voidPayments(tx, billing, await creditsOfEarlier(tx, invoice))
    const cancelled = await cancelIn(tx, billing, { invoiceId, reason, by })
    await applyCredit(tx, billing)
    return cancelled
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
  marks: Partial<Pick<InvoiceRow, 'paymentLink' | 'paymentProblem' | 'fiscalNoteUrl'>>,
): Promise<void> {
  const row = await updateInvoice(tx, invoiceId, marks)
  const invoice = shownInvoice(row, payee)
  tx.emit(invoiceChanged, { planId: row.planId, push: { action: 'update', invoice } })
}

/** Its period stays billed. Refuses with ERR_NOT_FOUND, and an overdue, cancelled or paid one with ERR_INVOICE_NOT_PENDING. */
export async function removeInvoice(
  platform: PlatformScope,
  { now }: Pick<InvoiceWriting, 'now'>,
  invoiceId: number,
): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  await platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const { planId, status, paidValue, carriedValue } = await lockInvoice(tx, invoiceId)
    // what is left of earlier invoices would be gone with it
    if (status !== 'PENDING' || paidValue > 0 || carriedValue > 0) refuse('ERR_INVOICE_NOT_PENDING')
    await tx.involve(invoiceLeaving, { invoiceId })
    await dropReturnsOf(tx, invoiceId)
    await deleteInvoice(tx, invoiceId)
    await settleAccountStatus(tx, now)
    tx.emit(invoiceChanged, { planId, push: { action: 'delete', invoiceId } })
  })
}

/**
 * Cancels an invoice whose period has not begun, so that it can be billed otherwise. What is left of earlier invoices in it stays
 * owed.
 */
export const releaseInvoice = (
  tx: Tx,
  writing: InvoiceWriting,
  invoice: InvoiceRow,
  reason: PlatformReason,
) =>
  invoice.carriedValue > 0
    ? endPeriodEarly(tx, writing, invoice, invoice.startInvoicePeriod)
    : cancelIn(
        tx,
        writing,
        { invoiceId: invoice.id, reason, by: '' },
        { releasedFrom: invoice.startInvoicePeriod },
      )

/** Whether somebody may pay it now. */
export const isPayable = (invoice: InvoiceRow | null): invoice is InvoiceRow =>
  invoice !== null && isOwed(invoice) && invoice.value > invoice.paidValue
