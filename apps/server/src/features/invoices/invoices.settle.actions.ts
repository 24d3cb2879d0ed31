import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { invoiceChanged, invoiceWritten } from './invoices.events.ts'
import { allocate, type Credit, paymentsOfInvoice } from './invoices.ledger.queries.ts'
import { type InvoiceRow, lockInvoice, shownInvoice, updateInvoice } from './invoices.queries.ts'

/** What the writers of invoices share: who receives PIX, and the moment. */
export interface InvoiceWriting {
  payee: PixPayee | null
  now: Date
  /** The caller settles the account's status in this transaction, once for several invoices. */
  isSettledLater?: boolean
}

/** Announces an invoice that was made or changed: to charges and notices in this commit, to screens after it. */
export async function publishInvoice(
  tx: Tx,
  row: InvoiceRow,
  before: InvoiceRow | null,
  { payee, now, isSettledLater = false }: InvoiceWriting,
): Promise<Invoice> {
  await tx.involve(invoiceWritten, { invoice: row, before, now })
  if (!isSettledLater) await settleAccountStatus(tx, now)
  const invoice = shownInvoice(row, payee)
  const action = before ? ('update' as const) : ('create' as const)
  tx.emit(invoiceChanged, { planId: row.planId, push: { action, invoice } })
  return invoice
}

/**
 * Writes what the payments of an invoice make of it, with other changes, and publishes it. The subscription of the company is
 * locked. Refuses with ERR_NOT_FOUND.
 */
export async function settleInvoice(
  tx: Tx,
  invoiceId: number,
  billing: InvoiceWriting,
  changes: Partial<InvoiceRow> = {},
): Promise<Invoice> {
  const before = await lockInvoice(tx, invoiceId)
  const values = { ...changes, ...(await settledBy(tx, { ...before, ...changes }, billing.now)) }
  return publishInvoice(tx, await updateInvoice(tx, invoiceId, values), before, billing)
}

async function settledBy(tx: Tx, invoice: InvoiceRow, now: Date): Promise<Partial<InvoiceRow>> {
  const paid = await paymentsOfInvoice(tx, invoice.id)
  const paidValue = paid.reduce((sum, { value }) => sum + value, 0)
  if (invoice.cancelledAt !== null) return { paidValue, status: 'CANCELLED', payDate: null }
  if (paidValue >= invoice.value) {
    const { payment: last } = paid.at(-1)!
    const status = paid.every(({ payment }) => payment.status === 'RECEIVED') ? 'RECEIVED' : 'CONFIRMED'
    return { paidValue, status, payDate: last.paidOn, transactionReceiptUrl: last.receiptUrl }
  }
  const isLate = invoice.dueDate < (await dayThere(tx, now))
  return {
    ...{ paidValue, payDate: null, transactionReceiptUrl: '' },
    status: isLate ? 'OVERDUE' : 'PENDING',
  }
}

/** Pays of an invoice what the credit of the company (`creditOf`) covers. The subscription is locked. */
export async function payWithCredit(tx: Tx, invoice: InvoiceRow, credit: Credit[]): Promise<number> {
  let owed = isPaid(invoice) ? 0 : invoice.value - invoice.paidValue
  let used = 0
  for (const { id, free } of credit) {
    const value = Math.min(free, owed)
    if (value <= 0) break
    await allocate(tx, { paymentId: id, invoiceId: invoice.id, value })
    owed -= value
    used += value
  }
  return used
}
