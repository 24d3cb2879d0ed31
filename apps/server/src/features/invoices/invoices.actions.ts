import { daysFrom, nextPeriod, parseBrl, priceOf } from '@balcao/contract/invoices.rules.ts'
import type { Invoice, InvoiceInput, PaymentInput } from '@balcao/contract/invoices.ts'
import { trialEnd } from '@balcao/contract/leads.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scope, Tx } from '../../platform/scope.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { invoiceChanged, invoiceLeaving, invoiceWritten } from './invoices.events.ts'
import {
  type BilledPlan,
  billedPlan,
  companyOfInvoice,
  dayThere,
  deleteInvoice,
  type InvoiceRow,
  insertInvoice,
  lockInvoice,
  newestAutomatic,
  overdueOn,
  shownInvoice,
  updateInvoice,
} from './invoices.queries.ts'

/** Who receives PIX payments; null where the operator configured none. */
export const payeeOf = ({ pixKey, pixName, pixCity }: Config): PixPayee | null =>
  pixKey ? { key: pixKey, name: pixName, city: pixCity } : null

async function publishInvoice(
  tx: Tx,
  row: InvoiceRow,
  action: 'create' | 'update',
  payee: PixPayee | null,
  now = new Date(),
): Promise<Invoice> {
  await tx.involve(invoiceWritten, { invoice: row, isNew: action === 'create', now })
  await settleAccountStatus(tx, now)
  const invoice = shownInvoice(row, payee)
  tx.emit(invoiceChanged, { planId: row.planId, push: { action, invoice } })
  return invoice
}

/** Adds one manually (OP-125). Refuses with ERR_NO_PLAN_FOUND, ERR_INVOICE_PLAN. */
export async function addInvoice(
  platform: PlatformScope,
  payee: PixPayee | null,
  planId: number,
  { valueBrl, ...input }: InvoiceInput,
): Promise<Invoice> {
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const companyId = plan.companyId ?? refuse('ERR_INVOICE_PLAN')
  return platform.inCompany(companyId).transaction(async tx => {
    const anchor = Number(input.startInvoicePeriod.slice(8))
    const row = await insertInvoice(tx, { ...input, planId, value: parseBrl(valueBrl)!, anchor })
    return publishInvoice(tx, row!, 'create', payee)
  })
}

/** Marks it as paid, or as unpaid again. Refuses with ERR_NOT_FOUND. */
export async function payInvoice(
  platform: PlatformScope,
  payee: PixPayee | null,
  invoiceId: number,
  { payDate, status, transactionReceiptUrl }: PaymentInput,
): Promise<Invoice> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  const values = { payDate, status, transactionReceiptUrl }
  return platform.inCompany(companyId).transaction(tx => settleInvoice(tx, payee, invoiceId, values))
}

/** The same in a transaction of its company. */
export async function settleInvoice(
  tx: Tx,
  payee: PixPayee | null,
  invoiceId: number,
  { payDate, status, transactionReceiptUrl }: PaymentInput,
): Promise<Invoice> {
  const { dueDate } = await lockInvoice(tx, invoiceId)
  const isLate = dueDate < (await dayThere(tx, new Date()))
  const unpaid = { payDate, status: isLate ? 'OVERDUE' : 'PENDING', transactionReceiptUrl: '' } as const
  const values = payDate ? { payDate, status, transactionReceiptUrl } : unpaid
  return publishInvoice(tx, await updateInvoice(tx, invoiceId, values), 'update', payee)
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

/** Refuses with ERR_NOT_FOUND, and an overdue or paid one with ERR_INVOICE_NOT_PENDING. */
export async function removeInvoice(platform: PlatformScope, invoiceId: number): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfInvoice(sql, invoiceId))
  await platform.inCompany(companyId).transaction(async tx => {
    const { planId, status } = await lockInvoice(tx, invoiceId)
    if (status !== 'PENDING') refuse('ERR_INVOICE_NOT_PENDING')
    await tx.involve(invoiceLeaving, { invoiceId })
    await deleteInvoice(tx, invoiceId)
    await settleAccountStatus(tx, new Date())
    tx.emit(invoiceChanged, { planId, push: { action: 'delete', invoiceId } })
  })
}

/** How many periods one run catches up with; the next run continues. */
const MOST_AT_ONCE = 60

/**
 * Makes the invoices of a company that are due now, one commit per period, marks overdue ones, and settles the account's
 * status. Idempotent, also concurrently and after a crash: the key of a period is its first day.
 */
export async function billCompany(scope: Scope, payee: PixPayee | null, now: Date): Promise<void> {
  for (let at = 0; at < MOST_AT_ONCE; at++)
    if (!(await scope.transaction(tx => billPeriod(tx, payee, now)))) break
  await scope.transaction(async tx => {
    for (const row of await overdueOn(tx, await dayThere(tx, now)))
      await publishInvoice(tx, row, 'update', payee, now)
    await settleAccountStatus(tx, now)
  })
}

/** The days between which the company was switched off for the last time; null where it never was. */
async function awayDays(tx: Tx, { switchedOffAt: off, switchedOnAt: on }: BilledPlan) {
  if (!off || !on || on < off) return null
  return { from: await dayThere(tx, new Date(off)), until: await dayThere(tx, new Date(on)) }
}

/** False when nothing is to be invoiced yet. */
async function billPeriod(tx: Tx, payee: PixPayee | null, now: Date): Promise<boolean> {
  const billed = await billedPlan(tx)
  if (!billed?.plan.automaticInvoice || billed.status !== 1) return false
  const { months, cents } = priceOf(billed.plan)
  if (cents === 0) return false
  const [today, last] = [await dayThere(tx, now), await newestAutomatic(tx)]
  const trial = billed.leadId === null ? null : await dayThere(tx, new Date(trialEnd(billed.createdAt)))
  const behind = last && { next: daysFrom(last.endInvoicePeriod, 1), anchor: last.anchor }
  const period = nextPeriod(today, trial, behind, months, await awayDays(tx, billed))
  if (!period) return false
  const row = await insertInvoice(tx, {
    planId: billed.plan.id,
    startInvoicePeriod: period.start,
    endInvoicePeriod: period.end,
    dueDate: period.due,
    anchor: period.anchor,
    value: cents,
    billingType: billed.plan.billingType,
    recurrence: months,
    isAutomatic: true,
  })
  if (row) await publishInvoice(tx, row, 'create', payee, now)
  // else another worker was faster
  return true
}
