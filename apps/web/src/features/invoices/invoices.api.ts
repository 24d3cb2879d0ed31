import {
  type CancelInput,
  type InvoiceInput,
  invoices,
  type PaymentInput,
} from '@balcao/contract/invoices.ts'
import { type InvoiceRefundInput, payments } from '@balcao/contract/payments.ts'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { INVOICES } from './invoices.live.ts'

/** Invoices of a plan, the newest period first. */
export const invoiceList = (planId: number) => pagedList(invoices.list, 'list', { planId }, INVOICES)

/** Invoices were made or changed by another screen. */
export const invoicesChanged = () => askAgain({ queryKey: [INVOICES] })

/** Throws ApiError. */
export async function addInvoice(planId: number, body: z.input<typeof InvoiceInput>): Promise<void> {
  await call(invoices.create, { params: { planId }, body })
  await invoicesChanged()
}

/** Throws ApiError. */
export async function payInvoice(invoiceId: number, body: z.input<typeof PaymentInput>): Promise<void> {
  await call(invoices.pay, { params: { invoiceId }, body })
  await invoicesChanged()
}

/** Throws ApiError. */
export async function removeInvoice(invoiceId: number): Promise<void> {
  await call(invoices.remove, { params: { invoiceId } })
  await invoicesChanged()
}

/** Throws ApiError. */
export async function cancelInvoice(invoiceId: number, body: z.input<typeof CancelInput>): Promise<void> {
  await call(invoices.cancel, { params: { invoiceId }, body })
  await invoicesChanged()
}

/** Gives back what was paid of an invoice, or a part of it. Throws ApiError. */
export async function refundInvoice(
  invoiceId: number,
  body: z.input<typeof InvoiceRefundInput>,
): Promise<void> {
  await call(payments.refundInvoice, { params: { invoiceId }, body })
  await invoicesChanged()
}

/** Asks the payment provider again, after it refused the charge. Throws ApiError. */
export async function chargeAgain(invoiceId: number): Promise<void> {
  await call(invoices.ask, { params: { invoiceId } })
  await invoicesChanged()
}
