import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import { type LateTerms, lateOn } from '@balcao/contract/ledger.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/scope.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import { invoiceChanged, invoiceWritten } from './invoices.events.ts'
import { allocate, type Credit, paymentsOfInvoice } from './invoices.ledger.queries.ts'
import {
  type InvoiceRow,
  type LateToday,
  lockInvoice,
  shownInvoice,
  updateInvoice,
} from './invoices.queries.ts'

/** What the writers of invoices share: who receives PIX, and the moment. */
export interface InvoiceWriting {
  payee: PixPayee | null
  now: Date
  /** After so many periods of which nothing is paid billing stops; 0: never. */
  unpaidPeriods?: number
  /** What is asked of who pays late; null: nothing. */
  late?: LateTerms | null
  /** The caller settles the account's status in this transaction, once for several invoices. */
  isSettledLater?: boolean
}

/** Announces an invoice that was made or changed: to charges and notices in this commit, to screens after it. */
export async function publishInvoice(
  tx: Tx,
  row: InvoiceRow,
  before: InvoiceRow | null,
  { payee, now, late = null, isSettledLater = false }: InvoiceWriting,
): Promise<Invoice> {
  await tx.involve(invoiceWritten, { invoice: row, before, now })
  if (!isSettledLater) await settleAccountStatus(tx, now)
  const invoice = shownInvoice(row, payee, await lateToday(tx, late, now))
  const action = before ? ('update' as const) : ('create' as const)
  tx.emit(invoiceChanged, { planId: row.planId, push: { action, invoice } })
  return invoice
}

/** What is asked of who pays late, on this day of the company; null where nothing is. */
export const lateToday = async (tx: Tx, late: LateTerms | null, now: Date): Promise<LateToday | null> =>
  late && { ...late, today: await dayThere(tx, now) }

/**
 * Adds fine and interest to an invoice that is paid late, as far as more was paid than it asks for: who pays without them owes none.
 * Answers what is to be paid of it then; `tolerance` cents more are accepted of who computes otherwise. The subscription is locked.
 */
export async function addLate(
  tx: Tx,
  invoice: InvoiceRow,
  { late = null }: InvoiceWriting,
  { value, paidOn, tolerance = 0 }: { value: number; paidOn: string; tolerance?: number },
): Promise<number> {
  const owed = invoice.value - invoice.paidValue
  const asked = late && owed > 0 ? lateOn(invoice, paidOn, late) : 0
  const added = asked > 0 ? Math.max(0, Math.min(asked + tolerance, value - owed)) : 0
  if (added > 0)
    await updateInvoice(tx, invoice.id, {
      ...{ value: invoice.value + added, lateValue: invoice.lateValue + added, lateAt: databaseTime() },
    })
  return owed + added
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
  const paid = await paymentsOfInvoice(tx, invoiceId)
  const note = paid.findLast(({ payment }) => payment.fiscalNoteUrl !== '')?.payment
  const values = {
    ...{ ...changes, ...(await settledBy(tx, { ...before, ...changes }, { paid, now: billing.now })) },
    ...(note && { fiscalNoteUrl: note.fiscalNoteUrl }),
  }
  return publishInvoice(tx, await updateInvoice(tx, invoiceId, values), before, billing)
}

async function settledBy(
  tx: Tx,
  invoice: InvoiceRow,
  { paid, now }: { paid: Awaited<ReturnType<typeof paymentsOfInvoice>>; now: Date },
): Promise<Partial<InvoiceRow>> {
  const paidValue = paid.reduce((sum, { value }) => sum + value, 0)
  // fine and interest are asked for anew on the day on which it is paid
  if (paidValue === 0 && invoice.lateValue > 0)
    return { ...(await settledBy(tx, { ...invoice, lateValue: 0 }, { paid, now })), ...withoutLate(invoice) }
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

/** Where it asks for less than that by now, since more was given back, it asks for a cent: of nothing there is no invoice. */
function withoutLate({ value, lateValue, creditedValue }: InvoiceRow) {
  const over = Math.max(0, lateValue - value + 1)
  return {
    ...{ value: value - lateValue + over, creditedValue: creditedValue - over },
    ...{ lateValue: 0, lateAt: null },
  }
}

/** Pays of an invoice what the credit of the company (`creditOf`) covers, and takes it from that. The subscription is locked. */
export async function payWithCredit(tx: Tx, invoice: InvoiceRow, credit: Credit[]): Promise<number> {
  let owed = isPaid(invoice) ? 0 : invoice.value - invoice.paidValue
  let used = 0
  for (const one of credit) {
    const value = Math.min(one.free, owed)
    if (value <= 0) continue
    await allocate(tx, { paymentId: one.id, invoiceId: invoice.id, value })
    one.free -= value
    owed -= value
    used += value
  }
  return used
}
