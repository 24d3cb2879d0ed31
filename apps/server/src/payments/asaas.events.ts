import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { ReportedPayment, receiptOf, stateOrNull } from './asaas.shapes.ts'
import { type ChargeStatus, type EventCall, EventRefused, type PaymentEvent } from './payments.ts'
import { jsonOf } from './provider.calls.ts'

/** Asaas' own are some 3 kB. */
const MAX_BYTES = 256 * 1024

const Notification = z.object({
  id: z.string().min(1).max(200),
  event: z.string(),
  payment: z.unknown().optional(),
})

interface Known {
  kind: string
  status: ChargeStatus
}

/** The events that move an invoice. Others come before or between these, or are about something else than payments. */
const KINDS = new Map<string, Known>([
  ['PAYMENT_OVERDUE', { kind: 'overdue', status: 'OVERDUE' }],
  ['PAYMENT_CONFIRMED', { kind: 'confirmed', status: 'CONFIRMED' }],
  ['PAYMENT_RECEIVED', { kind: 'received', status: 'RECEIVED' }],
  ['PAYMENT_REFUNDED', { kind: 'refunded', status: 'REFUNDED' }],
  // the payment stays confirmed or received
  ['PAYMENT_PARTIALLY_REFUNDED', { kind: 'partlyRefunded', status: 'CONFIRMED' }],
  ['PAYMENT_REFUND_DENIED', { kind: 'refundDenied', status: 'CONFIRMED' }],
  ['PAYMENT_DELETED', { kind: 'removed', status: 'GONE' }],
  ['PAYMENT_RESTORED', { kind: 'restored', status: 'PENDING' }],
])

/** What Asaas calls our webhook with. Its token may be left out there; here nothing is believed without it. */
export function readAsaasEvent(token: string | null, { headers, body: raw }: EventCall): PaymentEvent | null {
  const given = headers['asaas-access-token']
  if (!token || typeof given !== 'string' || !isSame(given, token))
    throw new EventRefused('forged', 'not called with the token of the webhook')
  if (raw.length > MAX_BYTES) throw new EventRefused('malformed', `larger than ${MAX_BYTES} bytes`)
  const { id: eventId, event, payment } = parsed(Notification, jsonOf(raw))
  const known = KINDS.get(event)
  if (!known) return null
  const reported = parsed(ReportedPayment, payment)
  return {
    ...{ eventId, kind: known.kind, status: statusOf(known, reported) },
    ...{ chargeId: reported.id, reference: reported.externalReference ?? '', ...receiptOf(reported) },
    ...(known.kind === 'partlyRefunded' && !reported.refunds?.length && { refundedValue: null }),
  }
}

function statusOf({ kind, status }: Known, payment: ReportedPayment): ChargeStatus {
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
