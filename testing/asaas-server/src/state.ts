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
  status:
    | 'PENDING'
    | 'OVERDUE'
    | 'AWAITING_RISK_ANALYSIS'
    | 'CONFIRMED'
    | 'RECEIVED'
    | 'RECEIVED_IN_CASH'
    | 'REFUNDED'
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
  /** Of the card that paid it: the last digits, and a token where the account may keep cards. */
  creditCard: { creditCardNumber: string; creditCardBrand: string; creditCardToken: string } | null
  pixAutomaticAuthorizationId: string | null
  /** The code that was paid, where Asaas made the payment of one. */
  pixQrCodeId: string | null
  deleted: boolean
}

/** An authorization of PIX Automático: https://docs.asaas.com/reference/recuperar-uma-unica-autorizacao-pix-automatico */
export interface Authorization {
  id: string
  status: 'CREATED' | 'ACTIVE' | 'REFUSED' | 'CANCELLED' | 'EXPIRED'
  customerId: string
  contractId: string
  frequency: string
  startDate: string
  description: string | null
  value: number | null
  payload: string
  cancellationReason: string | null
  immediateQrCode: { conciliationIdentifier: string }
  /** Reais of the first payment. */
  originalValue: number
}

interface Card {
  token: string
  customer: string
  /** The last digits. */
  number: string
  brand: string
  isRefused: boolean
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
  authorizations: Authorization[]
  cards: Card[]
  /** The ids of payments whose card waits for a decision. */
  analysed: Set<string>
  options: { keepsCards: boolean }
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
