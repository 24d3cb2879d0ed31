import type { InvoiceStatus } from '@balcao/contract/invoices.ts'
import type { BillingType } from '@balcao/contract/plans.ts'
import type { z } from 'zod'
import type { RawCall } from '../platform/http/routes.ts'

/** Who collects money for the platform. Every call but `readEvent` throws ProviderRefused, and nothing else. */
export interface PaymentProvider {
  /** Without its keys it refuses everything. */
  isSetUp: boolean
  /**
   * Asks a customer for money. The same reference is charged once: asked again, also after an answer that got lost, it
   * answers what was made then. Not to be called twice at once for one reference: the caller holds the row, and `leave`,
   * which is asked in the step before the charge is made, throws where it does not any more.
   */
  createCharge(charge: Charge, leave: () => Promise<void>): Promise<{ chargeId: string; paymentLink: string }>
  /** Afterwards it cannot be paid; a deleted one counts as cancelled. Refuses a paid one. */
  cancelCharge(chargeId: string): Promise<void>
  /** Its current state, should an event be lost. */
  find(chargeId: string): Promise<ChargeState>
  /**
   * The event of a charge, from the provider's raw call; null for what does not concern us. Throws EventRefused
   * for a call that is not the provider's or cannot be read. One event may come twice, and any in another order.
   */
  readEvent(headers: RawCall['headers'], raw: Buffer): PaymentEvent | null
}

/** Money that is to be paid. */
export interface Charge {
  /** Ours, and of no other charge. */
  reference: string
  customer: {
    /** Ours: under it the provider keeps the customer. */
    reference: string
    name: string
    /** A CPF or CNPJ, with punctuation or without. */
    document: string
    email: string
  }
  cents: number
  billingType: z.infer<typeof BillingType>
  /** `YYYY-MM-DD`, not over yet. */
  dueDate: string
  description: string
}

/** CONFIRMED is promised by who settles it, RECEIVED is in the account, GONE was cancelled or removed. */
export type ChargeStatus = z.infer<typeof InvoiceStatus> | 'REFUNDED' | 'GONE'

export interface ChargeState {
  status: ChargeStatus
  /** The day on which the customer paid; null while it is unpaid. */
  payDate: string | null
  /** Empty where there is none. */
  receiptUrl: string
}

export interface PaymentEvent extends ChargeState {
  /** The same each time the event comes. */
  eventId: string
  kind: 'overdue' | 'confirmed' | 'received' | 'refunded' | 'removed' | 'restored'
  chargeId: string
  /** Empty for a charge that was made elsewhere, in the provider's panel for one. */
  reference: string
}

type Reason =
  /** What was asked cannot be: its message is the provider's reason. */
  | 'refused'
  /** There is no such charge. */
  | 'unknown'
  /** It does not let us in: no key, a wrong one, or not from our address. */
  | 'key'
  /** We asked too much. */
  | 'busy'
  /** No answer, or a server that is out of order: what was asked may have happened. */
  | 'silent'
  /** An answer that is none. */
  | 'nonsense'

/** Why the provider did not do what was asked. */
export class ProviderRefused extends Error {
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.name = 'ProviderRefused'
    this.reason = reason
  }

  /** Asked the same way it will be refused for ever; anything else may be asked again later. */
  get isForEver(): boolean {
    return this.reason === 'refused' || this.reason === 'unknown'
  }
}

/** `forged`: whoever called does not know the token. `malformed`: he does, and it cannot be read. */
export class EventRefused extends Error {
  readonly reason: 'forged' | 'malformed'

  constructor(reason: 'forged' | 'malformed', message: string) {
    super(message)
    this.name = 'EventRefused'
    this.reason = reason
  }
}
