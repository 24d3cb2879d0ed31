import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NewsKind } from '@balcao/contract/payments.ts'
import { z } from 'zod'
import { externalIdOf } from '../platform/external.ts'
import { shows } from './catalogue.ts'
import { MERCADOPAGO_TOPICS } from './mercadopago.catalogue.ts'
import { type EventCall, EventRefused, type ReportedNews } from './payments.ts'
import { jsonOf, shownText } from './provider.calls.ts'

const MAX_BYTES = 64 * 1024

const id = z.union([z.int(), z.string().min(1).max(100)]).transform(String)

const Notification = z.object({
  id,
  type: z.string(),
  action: z.string().nullish().catch(null),
  data: z.object({ id: id.nullish(), payment_id: id.nullish() }),
})

/**
 * The ids of the event and of its payment, or what a master reads of an event of something else. The call holds no state, and the signature
 * covers the payment’s id in the address: https://www.mercadopago.com.br/developers/pt/docs/your-integrations/notifications/webhooks.
 * A replayed call is harmless, since the state is queried; so the age of `ts` is not limited.
 */
export function readMercadoPagoEvent(secret: string | null, { headers, query, body }: EventCall): Named {
  const named = textOf(query['data.id'])
  if (!secret || !isSigned(secret, headers, named))
    throw new EventRefused('forged', 'not signed with the secret of the webhook')
  if (body.length > MAX_BYTES) throw new EventRefused('malformed', `larger than ${MAX_BYTES} bytes`)
  const { data: event, error } = Notification.safeParse(jsonOf(body))
  if (error)
    throw new EventRefused('malformed', `not in the shape of an event: ${error.issues[0]?.path.join('.')}`)
  const paymentId = event.data.id
  const known = Object.hasOwn(MERCADOPAGO_TOPICS, event.type) ? MERCADOPAGO_TOPICS[event.type]! : UNKNOWN
  if (known.does !== 'asks')
    return {
      eventId: event.id,
      paymentId: null,
      news: known.does === 'shows' ? newsOf(event, known.kind) : null,
    }
  // the id in the address is signed, the body is not
  if (!paymentId || paymentId.toLowerCase() !== named.toLowerCase())
    throw new EventRefused('malformed', 'its address names another payment than its body')
  return { eventId: event.id, paymentId, news: null }
}

interface Named {
  eventId: string
  paymentId: string | null
  news: ReportedNews | null
}

const UNKNOWN = shows('unknown', '')

const newsOf = ({ id, type, action, data }: z.infer<typeof Notification>, kind: NewsKind): ReportedNews => ({
  ...{ eventId: externalIdOf(id), event: shownText(type, 100), kind, isOfCharge: false },
  subject: externalIdOf(data.payment_id ?? data.id),
  detail: shownText(action ?? '', 500),
})

function isSigned(secret: string, headers: EventCall['headers'], named: string): boolean {
  const requestId = textOf(headers['x-request-id'])
  const parts = textOf(headers['x-signature'])
    .split(',')
    .map(part => part.trim())
  const partOf = (key: string) => parts.find(part => part.startsWith(`${key}=`))?.slice(key.length + 1) ?? ''
  const ts = partOf('ts')
  // parts that the call lacks are left out
  const signed = [
    ['id', named.toLowerCase()],
    ['request-id', requestId],
    ['ts', ts],
  ]
    .map(([key, value]) => (value ? `${key}:${value};` : ''))
    .join('')
  const wanted = createHmac('sha256', secret).update(signed).digest()
  const given = Buffer.from(partOf('v1'), 'hex')
  return ts !== '' && given.length === wanted.length && timingSafeEqual(given, wanted)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
