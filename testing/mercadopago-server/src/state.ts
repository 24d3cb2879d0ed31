import type { PaymentAsked } from './shapes.ts'
import type { Webhooks } from './webhooks.ts'

export type Status =
  | 'pending'
  | 'approved'
  | 'in_mediation'
  | 'rejected'
  | 'cancelled'
  | 'refunded'
  | 'charged_back'

export interface Payment {
  id: number
  date_created: string
  date_approved: string | null
  date_last_updated: string
  date_of_expiration: string
  money_release_date: string | null
  operation_type: 'regular_payment'
  payment_method_id: PaymentAsked['payment_method_id']
  payment_type_id: 'bank_transfer' | 'ticket'
  status: Status
  status_detail: string
  currency_id: 'BRL'
  description: string | null
  live_mode: boolean
  collector_id: number
  payer: PaymentAsked['payer'] & { id: string }
  external_reference: string | null
  /** Reais. */
  transaction_amount: number
  transaction_amount_refunded: number
  installments: 1
  captured: boolean
  refunds: Refund[]
  transaction_details: {
    net_received_amount: number
    total_paid_amount: number
    external_resource_url: string | null
  }
  point_of_interaction: {
    type: string
    transaction_data?: { qr_code: string; qr_code_base64: string; ticket_url: string }
  }
}

export interface Refund {
  id: number
  payment_id: number
  amount: number
  source: { id: string; name: string; type: 'collector' }
  date_created: string
  status: 'approved' | 'in_process' | 'cancelled'
}

/** What every part of one server shares. */
export interface State {
  now(): Date
  payments: Payment[]
  /** The ids of payments whose next refund waits. */
  delayed: Set<number>
  /** What a call with a key of idempotency was answered. */
  keys: Map<string, Payment | Refund>
  webhooks: Webhooks
}
