import type { CallData } from '@balcao/contract/media.ts'
import type { InboundEvent } from '../../driver.ts'
import { chatOfMessage, type GraphContact, nameOf } from './identity.ts'
import { asText, graphTimeOf, listedIn } from './values.ts'

/** Page "calls webhook reference": each call is reported when it rings, and when it ends. */
export interface GraphCall {
  id?: string
  event?: string
  from?: string
  to?: string
  from_user_id?: string
  to_user_id?: string
  direction?: string
  status?: string | string[]
  timestamp?: string
  duration?: number | string
}

const MAX_SECONDS = 100 * 3_600

/**
 * A call that ended, with its length: a missed one of a customer is a message, as on WhatsApp Web. Nothing while it rings; null
 * for what is no call.
 */
export function callNews(call: GraphCall, contacts: GraphContact[] | undefined): InboundEvent[] | null {
  const people = listedIn(contacts)
  const fromMe = call.direction === 'BUSINESS_INITIATED'
  const message = { ...call, id: asText(call.id) }
  const chat = chatOfMessage(message, people, { fromMe })
  if (!chat || !message.id) return null
  if (call.event !== 'terminate') return []
  const seconds = Number(call.duration ?? 0)
  const isTaken = seconds > 0 && seconds <= MAX_SECONDS
  const data: CallData = {
    isVideo: false,
    outcome: isTaken ? 'taken' : 'missed',
    seconds: isTaken ? Math.round(seconds) : null,
  }
  const externalId = message.id
  const at = graphTimeOf(call.timestamp)
  const name = nameOf(chat, people)
  return [{ kind: 'message', chat, externalId, fromMe, name, body: '', mediaType: 'call_log', data, at }]
}
