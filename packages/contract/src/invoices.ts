import { z } from 'zod'
import { dueWithin, parseBrl } from './invoices.rules.ts'
import { channel, day, id, oneOf, pageNumber, requestId, route } from './kit.ts'
import { INVOICE_STATES } from './ledger.rules.ts'
import { BillingType } from './plans.ts'

/** The four of the documents. One that is cancelled is RECEIVED by them, since nothing is owed any more: `state` says more. */
export const InvoiceStatus = z.enum(['PENDING', 'OVERDUE', 'RECEIVED', 'CONFIRMED'])

/** Months per payment. */
export const INVOICE_MONTHS = [1, 3, 6, 12] as const

/** What a company owes, or paid, for one period of its plan. */
export const Invoice = z.object({
  id: z.int(),
  planId: z.int(),
  companyId: z.int(),
  /** The first and the last day that it pays. */
  startInvoicePeriod: day,
  endInvoicePeriod: day,
  /** Cents that are to be paid: what was issued, less `creditedValue`. */
  value: z.int(),
  /** Cents of what was issued that are not charged any more: its period ended early, or the next invoice charges them. */
  creditedValue: z.int(),
  /** Cents of `value` that are left of earlier invoices. */
  carriedValue: z.int(),
  /** What a one-off charge is for; empty where it pays a period of the plan. */
  description: z.string(),
  /** Cents that a discount left out when it was issued. */
  discountValue: z.int(),
  /** Cents of `value` that were paid as fine and interest. */
  lateValue: z.int(),
  /** Cents of fine and interest that are asked for beside `value` where it is paid today. */
  lateToday: z.int(),
  /** Written out: `R$ 1.234,50`. */
  valueBrl: z.string(),
  billingType: BillingType,
  dueDate: day,
  createdAt: z.iso.datetime(),
  payDate: day.nullable(),
  recurrence: z.literal([...INVOICE_MONTHS]),
  status: InvoiceStatus,
  state: z.enum(INVOICE_STATES),
  /** Cents that were paid and not given back. */
  paidValue: z.int(),
  /** Why a master cancelled it; empty where it was not cancelled. */
  cancelReason: z.string(),
  /** Where it is paid; empty where nothing was named. */
  paymentLink: z.string(),
  transactionReceiptUrl: z.string(),
  /** The fiscal note (NFS-e) of its payment; empty where there is none. */
  fiscalNoteUrl: z.string(),
  /** The payment provider's reason for not collecting it, or one of UNCHARGED_REASONS; empty when it does, or is not used. */
  paymentProblem: z.string(),
  /** Created by the platform itself, not manually. */
  isAutomatic: z.boolean(),
  /** Payload for banking apps (BR Code, copied or as a QR code); empty once paid, and where PIX_KEY is not set. */
  pixCode: z.string(),
})
export type Invoice = z.infer<typeof Invoice>

const REQUIRED = 'Required'
const link = z.union([
  z.literal(''),
  z
    .string()
    .trim()
    .max(2_000, 'Too Long!')
    .pipe(z.url({ protocol: /^https?$/, error: 'Deve ser uma URL válida' })),
])
const asked = z.string({ error: REQUIRED }).pipe(day)
/** `1.234,50`, with R$ before it or not. */
export const amount = (wrong: string) =>
  z
    .string({ error: REQUIRED })
    .max(30, wrong)
    .refine(value => parseBrl(value) !== null, wrong)

/** Fields of an invoice that a master creates manually (OP-125). */
export const InvoiceInput = z
  .object({
    startInvoicePeriod: asked,
    endInvoicePeriod: asked,
    valueBrl: amount('Valor como 1.234,50'),
    billingType: BillingType,
    dueDate: asked,
    recurrence: oneOf(INVOICE_MONTHS),
    paymentLink: link.default(''),
    requestId,
  })
  .superRefine(({ startInvoicePeriod, endInvoicePeriod, dueDate }, context) => {
    const wrong = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (endInvoicePeriod < startInvoicePeriod) wrong('endInvoicePeriod', 'O fim vem depois do início')
    if (!dueWithin(startInvoicePeriod, dueDate))
      wrong('dueDate', 'O vencimento fica a no máximo um ano do início')
  })
export type InvoiceInput = z.output<typeof InvoiceInput>

/** The payment of an invoice; without a date there is none. */
export const PaymentInput = z.object({
  payDate: asked.nullable(),
  /** RECEIVED is in the account, CONFIRMED is promised by who settles it. */
  status: z.enum(['RECEIVED', 'CONFIRMED']).default('RECEIVED'),
  /** `paidValue` as the caller saw it: where it is another by now, nothing is recorded twice (ERR_CHANGED_MEANWHILE). */
  paidValue: z.int().min(0).optional(),
  /** What was paid, where it is not all that is owed: the rest stays owed, and what is too much becomes credit. */
  valueBrl: amount('Valor como 1.234,50').optional(),
  transactionReceiptUrl: link.default(''),
})
export type PaymentInput = z.output<typeof PaymentInput>

export const CancelInput = z.object({
  reason: z.string({ error: REQUIRED }).trim().min(2, 'Too Short!').max(200, 'Too Long!'),
})

const planId = z.object({ planId: id })
const invoiceId = z.object({ invoiceId: id })

export const invoices = {
  list: route('GET', '/invoiceToPlan/:planId', {
    needs: 'payPanel',
    summary:
      'Invoices of the plan of a company, the newest period first, a page at a time: of any for masters, of the own one for those who pay for it.',
    params: planId,
    query: z.object({ pageNumber: pageNumber.optional() }),
    reply: z.object({ list: z.array(Invoice), hasMore: z.boolean() }),
  }),
  create: route('POST', '/invoice/:planId', {
    needs: 'master',
    summary: 'Makes an invoice by hand. ERR_INVOICE_PLAN for a plan that no company has.',
    params: planId,
    body: InvoiceInput,
    reply: Invoice,
  }),
  pay: route('PUT', '/invoice/:invoiceId/payment', {
    needs: 'master',
    summary:
      'Says that an invoice was paid, and when. The same sum on the same day is the same payment, unless `paidValue` says that the first one was seen: ERR_CHANGED_MEANWHILE where something else was paid since. What is too much pays the oldest open invoice, else it is credit. `payDate` null takes back what was said by hand: it waits again, or is overdue. ERR_INVOICE_CANCELLED, and ERR_PAYMENT_OF_PROVIDER where the provider reported the payment: it is refunded there; ERR_PAYMENT_SPENT where a part of it was given back.',
    params: invoiceId,
    body: PaymentInput,
    reply: Invoice,
  }),
  remove: route('DELETE', '/invoice/:invoiceId', {
    needs: 'master',
    summary:
      'Deletes an invoice that waits, has no payment and includes nothing of earlier ones; its period is not billed again. ERR_INVOICE_NOT_PENDING for any other.',
    params: invoiceId,
  }),
  cancel: route('POST', '/invoice/:invoiceId/cancel', {
    needs: 'master',
    summary:
      'Cancels an invoice with a reason; its period is not billed again. What was paid on it becomes credit of the company.',
    params: invoiceId,
    body: CancelInput,
    reply: Invoice,
  }),
  ask: route('POST', '/invoice/:invoiceId/charge', {
    needs: 'payPanel',
    summary:
      'Asks the payment provider again at once, after it refused a charge. ERR_INVOICE_NOT_PENDING where nothing is owed.',
    params: invoiceId,
    reply: Invoice,
    limit: { counts: 'calls', caller: 10 },
  }),
}

/** Events of the invoices of one plan. The name contains the plan's id: `invoiceChannelOf`. */
export const invoiceChannel = channel(
  'invoice-{planId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), invoice: Invoice }),
    z.object({ action: z.literal('delete'), invoiceId: z.int() }),
  ]),
)

export const invoiceChannelOf = (planId: number) => ({
  ...invoiceChannel,
  name: invoiceChannel.name.replace('{planId}', String(planId)),
})
