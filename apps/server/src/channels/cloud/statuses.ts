import { cut } from '@balcao/contract/cut.rules.ts'
import type { InboundEvent } from '../../driver.ts'
import type { PriceRow } from '../../features/cloud/cloud.prices.queries.ts'
import { externalIdOf } from '../../platform/external.ts'
import { type LateError, lateReason } from './errors.ts'
import { personOf } from './identity.ts'
import { asText, graphTimeOf, Id, type Names } from './values.ts'

export interface GraphStatus {
  id?: string
  status?: string
  timestamp?: string
  recipient_id?: string
  recipient_user_id?: string
  biz_opaque_callback_data?: string
  errors?: LateError[]
  /** Page "status messages webhook reference": with `sent`, and with the first of `delivered` and `read`. */
  pricing?: { billable?: boolean; pricing_model?: string; category?: string; type?: string }
}

const ACKS: Record<string, number> = { failed: 0, sent: 2, delivered: 3, read: 4, played: 5 }

/** How far a message of ours got, and what Meta charges for it. */
export function statusEvents(
  status: GraphStatus,
  names: Names,
  found: { named: { externalId: string; wamid: string }[]; prices: PriceRow[] },
): InboundEvent[] | null {
  const { id, recipient_id: number, recipient_user_id: userId, errors } = status
  const ack = ACKS[status.status ?? '']
  if (!id || ack === undefined) return null
  const externalId = status.biz_opaque_callback_data || names.ours(id)
  const latest = names.theirs(externalId)
  const at = graphTimeOf(status.timestamp)
  // What happened to a try is no statement about the next one.
  if (ack === 0 && latest !== undefined && latest !== id) return []
  if (latest === undefined && isBefore(at, names.askedAt(externalId))) return []
  if (!Id.safeParse(externalId).success || !Id.safeParse(id).success) return null
  if (status.biz_opaque_callback_data && latest === undefined) found.named.push({ externalId, wamid: id })
  const price = priceOf(status)
  if (price) found.prices.push(price)
  const chat = personOf({ number, userId }) ?? { kind: 'phone', value: '' }
  const reason = ack === 0 ? { reason: lateReason(errors?.[0]) } : {}
  const received: InboundEvent = { kind: 'ack', chat, externalId, ack, ...reason, at }
  // the number of a person who hides it, where the message was sent to the number
  return chat.kind === 'phone' && chat.also ? [received, { kind: 'identity', chat, at }] : [received]
}

/** Clocks differ, and Meta's times are whole seconds. */
const APART_MS = 10_000

const isBefore = (at: string, askedAt: number | undefined) =>
  askedAt !== undefined && Date.parse(at) + APART_MS < askedAt

/** What the message costs; null where the status says nothing of it. Meta charges for what it delivered. */
function priceOf({ id, status, timestamp, pricing }: GraphStatus): PriceRow | null {
  const { category, type, pricing_model: model, billable } = pricing ?? {}
  if (!id || !asText(category)) return null
  const isDelivered = status === 'delivered' || status === 'read' || status === 'played'
  return {
    wamid: externalIdOf(id),
    category: cut(asText(category), 50),
    type: cut(asText(type), 50),
    model: cut(asText(model), 20),
    billable: typeof billable === 'boolean' ? billable : asText(type) === 'regular',
    deliveredAt: isDelivered ? graphTimeOf(timestamp) : null,
  }
}
