import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { externalIdOf } from '../platform/external.ts'
import { ASAAS_EVENTS } from './asaas.catalogue.ts'
import { debitProblem } from './asaas.debits.ts'
import { ReportedPayment, receiptOf, stateOrNull } from './asaas.shapes.ts'
import { type EventMeaning, shows } from './catalogue.ts'
import {
  type ChargeStatus,
  centsOf,
  type EventCall,
  EventRefused,
  type PaymentEvent,
  type ProviderReport,
  type RefusedDebit,
  type ReportedNews,
} from './payments.ts'
import { jsonOf, shownText } from './provider.calls.ts'

/** Asaas' own are some 3 kB. */
const MAX_BYTES = 256 * 1024

const Notification = z.object({
  id: z.string().min(1).max(200),
  event: z.string(),
  payment: z.unknown().optional(),
  invoice: z.unknown().optional(),
  authorization: z.unknown().optional(),
  paymentInstruction: z.unknown().optional(),
})

/** A debit by PIX Automático: https://docs.asaas.com/docs/events-for-automatic-pix */
const Instruction = z.object({
  paymentId: z.string().min(1).max(100),
  refusalReason: z.string().nullish(),
})

/** What a master sees of what an event is about. */
const Named = z
  .object({ id: z.string(), status: z.string().nullish(), statusDescription: z.string().nullish() })
  .nullish()
  .catch(null)

/** What Asaas calls our webhook with. Its token may be left out there; here nothing is believed without it. */
export function readAsaasEvent(token: string | null, { headers, body: raw }: EventCall): ProviderReport {
  const given = headers['asaas-access-token']
  if (!token || typeof given !== 'string' || !isSame(given, token))
    throw new EventRefused('forged', 'not called with the token of the webhook')
  if (raw.length > MAX_BYTES) throw new EventRefused('malformed', `larger than ${MAX_BYTES} bytes`)
  const notification = parsed(Notification, jsonOf(raw))
  const known = Object.hasOwn(ASAAS_EVENTS, notification.event) ? ASAAS_EVENTS[notification.event]! : UNKNOWN
  return {
    payment: known.does === 'settles' ? paymentOf(notification, known) : null,
    news: known.does === 'shows' ? newsOf(notification, known) : null,
    noteId: Object.hasOwn(ASAAS_EVENTS, notification.event) ? noteOf(notification) : null,
    authorizationId: known.does === 'authorizes' ? authorizationOf(notification) : null,
    debit: known.does === 'debits' ? debitOf(notification) : null,
  }
}

type Notification = z.infer<typeof Notification>
type Settling = Extract<EventMeaning, { does: 'settles' }>

const UNKNOWN = shows('unknown', '')

function paymentOf({ id, payment }: Notification, known: Settling): PaymentEvent {
  const reported = parsed(ReportedPayment, payment)
  return {
    ...{ eventId: externalIdOf(id), kind: known.kind, status: statusOf(known, reported) },
    ...{ chargeId: externalIdOf(reported.id), reference: reported.externalReference ?? '' },
    ...receiptOf(reported),
    ...(known.kind === 'partlyRefunded' && !reported.refunds?.length && { refundedValue: null }),
    // what was received in cash can be taken back
    mustAsk: known.status === 'UNDONE' || reported.status === 'RECEIVED_IN_CASH',
  }
}

function newsOf(
  { id, event, payment, invoice }: Notification,
  { kind }: Extract<EventMeaning, { does: 'shows' }>,
): ReportedNews {
  const named = Named.parse(payment) ?? Named.parse(invoice)
  const cents = event === 'PAYMENT_UPDATED' ? ReportedPayment.safeParse(payment).data?.value : null
  return {
    ...{ eventId: externalIdOf(id), event: shownText(event, 100), kind },
    subject: named ? externalIdOf(named.id) : '',
    detail: shownText(named?.statusDescription || named?.status || '', 500),
    isOfCharge: event.startsWith('PAYMENT_') && kind !== 'unknown',
    ...(cents != null && { unlessCents: centsOf(cents) }),
  }
}

/** Also of one that a master reads. */
function noteOf({ event, invoice }: Notification): string | null {
  const named = event.startsWith('INVOICE_') ? Named.parse(invoice) : null
  return named ? externalIdOf(named.id) : null
}

function authorizationOf({ authorization }: Notification): string | null {
  const named = Named.parse(authorization)
  return named ? externalIdOf(named.id) : null
}

/** Null where it does not say of which charge: the charge stays open all the same. */
function debitOf({ id, paymentInstruction }: Notification): RefusedDebit | null {
  const { data } = Instruction.safeParse(paymentInstruction)
  if (!data) return null
  const reason = debitProblem(shownText(data.refusalReason ?? '', 100))
  return { eventId: externalIdOf(id), chargeId: externalIdOf(data.paymentId), reason }
}

function statusOf({ kind, status }: Settling, payment: ReportedPayment): ChargeStatus {
  const now = stateOrNull(payment)?.status
  const isLate = kind === 'restored' && now === 'OVERDUE'
  const isReceived = (kind === 'partlyRefunded' || kind === 'refundDenied') && now === 'RECEIVED'
  return isLate || isReceived ? now : status
}

/** Constant time. */
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted))
const digest = (text: string) => createHash('sha256').update(text).digest()

function parsed<Shape extends z.ZodType>(shape: Shape, given: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(given)
  if (error)
    throw new EventRefused('malformed', `not in the shape of an event: ${error.issues[0]?.path.join('.')}`)
  return data as z.output<Shape>
}
