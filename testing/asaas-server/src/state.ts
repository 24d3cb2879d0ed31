import type { BILLING_TYPES } from './shapes.ts'
import type { Webhooks } from './webhooks.ts'

export interface Customer {
  object: 'customer'
  id: string
  dateCreated: string
  name: string
  email: string | null
  cpfCnpj: string
  personType: 'FISICA' | 'JURIDICA'
  externalReference: string | null
  notificationDisabled: boolean
  deleted: boolean
}

export interface Payment {
  object: 'payment'
  id: string
  dateCreated: string
  customer: string
  billingType: (typeof BILLING_TYPES)[number]
  status: 'PENDING' | 'OVERDUE' | 'CONFIRMED' | 'RECEIVED' | 'RECEIVED_IN_CASH' | 'REFUNDED'
  /** Reais. */
  value: number
  netValue: number
  /** What it asked for in time, where it was paid late. */
  originalValue: number | null
  dueDate: string
  originalDueDate: string
  description: string | null
  externalReference: string | null
  /** Fine and interest that are a part of `value` then. */
  interestValue: number | null
  /** Percent of the value once, or reais. */
  fine: { value: number; type: 'PERCENTAGE' | 'FIXED' }
  /** Percent a month. */
  interest: { value: number; type: 'PERCENTAGE' }
  confirmedDate: string | null
  paymentDate: string | null
  clientPaymentDate: string | null
  invoiceUrl: string
  bankSlipUrl: string | null
  transactionReceiptUrl: string | null
  invoiceNumber: string
  /** Null until something is given back. */
  refunds: Refund[] | null
  deleted: boolean
}

/** https://docs.asaas.com/docs/refunds */
export interface Refund {
  dateCreated: string
  status: 'PENDING' | 'DONE' | 'CANCELLED'
  /** Reais. */
  value: number
  description: string | null
  transactionReceiptUrl: string | null
}

/** A fiscal note: https://docs.asaas.com/reference/recuperar-uma-nota-fiscal */
export interface Note {
  object: 'invoice'
  type: 'NFS-e'
  id: string
  status: 'SCHEDULED' | 'SYNCHRONIZED' | 'AUTHORIZED' | 'CANCELED' | 'ERROR'
  statusDescription: string | null
  customer: string
  payment: string
  /** Reais. */
  value: number
  effectiveDate: string
  externalReference: string | null
  pdfUrl: string | null
  xmlUrl: string | null
  number: string | null
  deleted: boolean
}

/** What every part of one server shares. */
export interface State {
  now(): Date
  customers: Customer[]
  payments: Payment[]
  notes: Note[]
  /** The ids of payments whose next refund waits. */
  delayed: Set<string>
  webhooks: Webhooks
}

interface ListPage {
  externalReference?: string | undefined
  limit: number
  offset: number
}

/** A page of a list, the newest first. */
export function listed<One extends { externalReference: string | null; deleted: boolean }>(
  all: One[],
  { externalReference, limit, offset }: ListPage,
) {
  const fitting = all
    .filter(one => !one.deleted && [undefined, one.externalReference].includes(externalReference))
    .toReversed()
  const data = fitting.slice(offset, offset + limit)
  return {
    ...{ object: 'list', hasMore: offset + data.length < fitting.length, totalCount: fitting.length },
    ...{ limit, offset, data },
  }
}
