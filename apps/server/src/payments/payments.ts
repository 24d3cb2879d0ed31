import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { FiscalSettings } from '@balcao/contract/fiscalNotes.ts'
import type { RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import type { InvoiceStatus } from '@balcao/contract/invoices.ts'
import type { LateTerms } from '@balcao/contract/ledger.rules.ts'
import type { NewsKind } from '@balcao/contract/payments.ts'
import type { BillingType } from '@balcao/contract/plans.ts'
import type { z } from 'zod'
import type { RawCall } from '../platform/http/routes.ts'

/** An account at a provider. */
export interface ProviderAccount {
  /** Where its API is. */
  url: string
  /** The key of its API. */
  token: string | null
  /** Authenticates its events. */
  webhookSecret: string | null
}

/** Who collects money for the platform. Every call throws ProviderRefused, and nothing else; `readEvent` EventRefused, too. */
export interface PaymentProvider {
  name: CollectorName
  /** Without its keys it refuses everything. */
  isSetUp: boolean
  /** It charges nothing below. */
  leastCents: number
  /**
   * Asks a customer for money. The same reference is charged once: asked again, also after an answer that got lost, it
   * answers what was made then. Not to be called twice at once for one reference: the caller holds the row, and `leave`,
   * which is asked in the step before the charge is made, throws where it does not any more.
   */
  createCharge(charge: Charge, leave: () => Promise<void>): Promise<{ chargeId: string; paymentLink: string }>
  /** Afterwards it cannot be paid; a deleted one counts as cancelled. Refuses a paid one. */
  cancelCharge(chargeId: string): Promise<void>
  /** The id of the charge that has a reference and is neither cancelled nor refunded; null where there is none. */
  chargeOf(reference: string): Promise<string | null>
  /** Its current state. */
  find(chargeId: string): Promise<ChargeState>
  /**
   * A page of the charges that were made since a day, by their state now: events may be lost. `from` is the `next` of the page
   * before, null for the first; a charge may be on two pages.
   */
  list(since: string, from: string | null): Promise<{ charges: ListedCharge[]; next: string | null }>
  /**
   * Gives back of a paid charge what is missing to `upTo`. `asked`: it is accepted and not carried out yet, which is known as `refundedValue`
   * later. What is given back or under way already is not asked for again, also after an answer that got lost.
   */
  refund(chargeId: string, refund: WantedRefund): Promise<'done' | 'asked'>
  /**
   * The event of a charge, from the provider's raw call; null for what does not concern us. Where the call holds only an id the
   * state is queried. Throws EventRefused for a call that is not the provider's or cannot be read. One event may come twice,
   * and any in another order.
   */
  readEvent(call: EventCall): Promise<ProviderReport>
  /** Issues fiscal notes of its charges; null where it has no such service. */
  notes: NoteIssuer | null
  /** Charges by what a payer allowed once; null where it has no such service. */
  autopay: AutopayService | null
}

/** Every call throws ProviderRefused, and nothing else. */
export interface NoteIssuer {
  /**
   * Issues the note of a paid charge. The same reference has one note, also after an answer that got lost; one that was refused is
   * corrected and issued again.
   */
  issue(note: WantedNote): Promise<NoteState>
  /** Its current state. */
  find(noteId: string): Promise<NoteState>
}

export interface WantedNote {
  /** Ours, and of no other note. */
  reference: string
  chargeId: string
  cents: number
  /** The day of the note, in Brazil. */
  on: string
  settings: FiscalSettings
}

/** asked: the town has not answered yet. */
export interface NoteState {
  noteId: string
  status: 'asked' | 'issued' | 'failed' | 'cancelled'
  number: string
  /** Empty where there is none. */
  pdfUrl: string
  /** Why it failed; may be empty. */
  problem: string
}

/** Every call throws ProviderRefused, and nothing else. */
export interface AutopayService {
  /**
   * Asks for an authorization of PIX Automático, which is given with the payment of a first sum. The same reference has one that
   * waits, also after an answer that got lost. Not to be called twice at once for one reference; `leave` as with a charge.
   */
  authorize(wanted: WantedAuthorization, leave: () => Promise<void>): Promise<AuthorizationState>
  /** The one that may have been made for a reference; null where there is none that waits or is active. */
  authorizationOf(wanted: Pick<WantedAuthorization, 'reference' | 'customer'>): Promise<string | null>
  /** Its current state; `cancelled` where the provider does not know it any more. */
  find(authorizationId: string): Promise<AuthorizationState>
  /** Afterwards nothing is debited by it. */
  revoke(authorizationId: string): Promise<void>
  /**
   * Charges a card that the provider keeps for an open charge, whose state is queried before: one that is paid already is not
   * charged again. Null where the provider has not decided yet. `leave` is asked in the step before the card is charged.
   */
  payByCard(chargeId: string, token: string, leave: () => Promise<void>): Promise<ChargeState | null>
}

export interface WantedAuthorization {
  /** Ours, and of no other authorization; at most 35 characters. */
  reference: string
  customer: Charge['customer']
  /** What is paid at once, and gives the authorization. */
  cents: number
  months: RecurrenceMonths
  /** The first day on which something may be debited by it. */
  from: string
  description: string
}

export interface AuthorizationState {
  authorizationId: string
  status: 'waiting' | 'active' | 'refused' | 'expired' | 'cancelled'
  /** The code that the payer scans; empty where the provider does not say it any more. */
  pixCode: string
  /** By which the payment of the first sum is recognized; empty where there is none. */
  qrId: string
  /** The payer ended it, at his bank. */
  isByPayer: boolean
}

/** A card that a provider keeps: its token charges it again, for the same customer. */
export interface KeptCard {
  token: string
  brand: string
  lastDigits: string
}

export type EventCall = Pick<RawCall, 'headers' | 'query' | 'body'>

export interface WantedRefund {
  /** Ours, and of no other refund. */
  id: number
  reason: string
  /** The cents of the charge that are given back in all once this is done. */
  upTo: number
  /**
   * It was accepted before: nothing is asked for, and it is refused as `cancelled` where the provider cancelled it since. While
   * the payment is in dispute that is not known.
   */
  isAsked: boolean
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
    /** Empty texts where it is not known; a boleto may need it. */
    address: Record<'cep' | 'street' | 'number' | 'district' | 'city' | 'state', string>
  }
  cents: number
  billingType: z.infer<typeof BillingType>
  /** `YYYY-MM-DD`, not over yet. */
  dueDate: string
  description: string
  /** What who pays late is asked for, where the provider can; null: nothing. */
  late: LateTerms | null
  /** The authorization of PIX Automático by which it is debited on its due date; it can also be paid before. */
  authorizationId?: string
}

/**
 * CONFIRMED is promised by who settles it, RECEIVED is in the account, GONE was cancelled or removed, EXPIRED passed its last day:
 * what is still owed needs another charge. UNDONE: it was marked in the panel as paid in cash, and that was taken back.
 */
export type ChargeStatus = z.infer<typeof InvoiceStatus> | 'REFUNDED' | 'GONE' | 'EXPIRED' | 'UNDONE'

export interface ChargeState {
  status: ChargeStatus
  /** The cents that were paid, or are to be; null where the provider does not say so. */
  value: number | null
  /** The day on which the customer paid; null while it is unpaid. */
  payDate: string | null
  /** Empty where there is none. */
  receiptUrl: string
  /** The payer’s bank took it back for good: what it paid is owed again. */
  isLost?: boolean
  /** The cents that were given back of it until now, null where the provider does not say so; all where it is REFUNDED, whatever is here. */
  refundedValue: number | null
  /** The card that paid it, where the provider keeps it. */
  card?: KeptCard
  /** It was paid by a credit card. */
  isByCard?: true
  /** The code that was paid, where the provider made the charge of one. */
  qrId?: string
}

/** What the provider does not know, or not any more. */
export const GONE: ChargeState = {
  ...{ status: 'GONE', payDate: null, receiptUrl: '', value: null, refundedValue: 0 },
}

export interface ListedCharge extends ChargeState {
  chargeId: string
  /** Empty for one that was made elsewhere. */
  reference: string
}

export interface PaymentEvent extends ChargeState {
  /** The same each time the event comes. */
  eventId: string
  /** What happened; kept with the event. */
  kind: string
  chargeId: string
  /** Empty for a charge that was made elsewhere, in the provider's panel for one. */
  reference: string
  /** The state is not final in the panel either: it is queried, since this event may come after a later one. */
  mustAsk: boolean
}

/** What a provider says that moves no money by itself, or that is not understood: a master reads it. */
export interface ReportedNews {
  /** The same each time it comes. */
  eventId: string
  /** As the provider calls it. */
  event: string
  kind: NewsKind
  /** The charge that it is about, else what it names; empty where it names nothing. */
  subject: string
  /** The provider's words or status; may be empty. */
  detail: string
  /** Of a charge: kept only where it is ours, and with `unlessCents` only where it asks for other cents. */
  isOfCharge: boolean
  unlessCents?: number
}

/** What an event says; neither where it changes nothing here. */
export interface ProviderReport {
  payment: PaymentEvent | null
  news: ReportedNews | null
  /** The provider’s id of a fiscal note that changed; null: none did. */
  noteId: string | null
  /** The provider’s id of an authorization that changed. */
  authorizationId?: string | null
  /** An automatic debit that will not be, or was refused: its charge stays open. */
  debit?: RefusedDebit | null
}

export interface RefusedDebit {
  /** The same each time it comes. */
  eventId: string
  chargeId: string
  /** The provider’s word for it, or one of UNCHARGED_REASONS. */
  reason: string
}

/** The cents of reais in which an API writes sums. */
export const centsOf = (reais: number): number => Math.round(reais * 100)

/** The day by which banks and providers in Brazil count (UTC−3): none accepts a due date before today’s. */
export const dayInBrazil = (at: Date): string =>
  new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 10)

type Reason =
  /** What was asked cannot be: its message is the provider's reason. */
  | 'refused'
  /** There is no such charge. */
  | 'unknown'
  /** It accepted a refund, and did not carry it out. */
  | 'cancelled'
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
    return this.reason === 'refused' || this.reason === 'unknown' || this.reason === 'cancelled'
  }

  /** What was asked for cannot be read, now or later. */
  get isUnreadable(): boolean {
    return this.isForEver || this.reason === 'nonsense'
  }
}

/** `forged`: the caller does not prove to know the secret. `malformed`: it does, and it cannot be read. */
export class EventRefused extends Error {
  readonly reason: 'forged' | 'malformed'

  constructor(reason: 'forged' | 'malformed', message: string) {
    super(message)
    this.name = 'EventRefused'
    this.reason = reason
  }
}
