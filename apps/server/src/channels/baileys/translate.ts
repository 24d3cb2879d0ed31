import { type BaileysEventMap, isJidBroadcast, type proto, type WAMessage } from 'baileys'
import type { Chat, Heard } from '../driver.ts'
import { chatOf } from './addresses.ts'
import { changeOf, type Saying } from './changes.ts'
import { type Content, contentOf } from './content.ts'
import { fileOf } from './sources.ts'
import { lineFrom, textFrom } from './strangers.ts'

type HeardAck = Extract<Heard, { kind: 'ack' }>
type HeardMessage = Extract<Heard, { kind: 'message' }>

const DELIVERED = 3
const PLAYED = 5

/**
 * What a message tells the product: itself, or what it does to another one; null when that is nothing (stubs, votes,
 * other people's broadcasts).
 */
export function heardIn(message: WAMessage): Heard | null {
  const saying = sayingOf(message)
  if (!saying || !message.key.id) return null
  return changeOf(message.message, saying) ?? messageOf(message, saying)
}

/** Only the phone itself shows what may be seen once: the others are told that there is something. */
export const isWithheld = ({ key, message }: WAMessage): boolean => !message && key.isViewOnce === true

const WITHHELD: Content = { body: '', mediaType: 'viewOnceMessage' }

function messageOf(
  message: WAMessage,
  { externalId, chat, author, fromMe, name, at }: Saying,
): HeardMessage | null {
  const found = isWithheld(message) ? WITHHELD : contentOf(message.message)
  if (!found) return null
  const { file, ...content } = found
  const media = file && fileOf(file.type, file.part, message.key)
  return {
    kind: 'message',
    chat,
    externalId,
    fromMe,
    name: chat.kind === 'group' ? '' : name,
    ...(author && { author }),
    ...content,
    ...(media && { file: media }),
    at,
  }
}

function sayingOf({ key, pushName, messageTimestamp }: WAMessage): Saying | null {
  // A message to somebody's list of recipients is, for us, theirs.
  const isList = isJidBroadcast(key.remoteJid ?? '')
  const chat = isList ? chatOf(key.participant, key.participantAlt) : chatOf(key.remoteJid, key.remoteJidAlt)
  if (!chat) return null
  const name = lineFrom(pushName)
  const author = chat.kind === 'group' ? chatOf(key.participant, key.participantAlt) : null
  return {
    externalId: textFrom(key.id),
    chat,
    author: author ? { ...author, name } : undefined,
    fromMe: key.fromMe === true,
    name,
    at: timeOf(messageTimestamp),
  }
}

/** How far messages of ours have come, as receipts tell. What the server itself says is heard from its acks. */
export function receiptsOf(updates: BaileysEventMap['messages.update']): HeardAck[] {
  return updates.flatMap(({ key, update }) => receiptOf(key, update.status, update.messageTimestamp))
}

/** In a group a message has been delivered when one member has it; that all have read it is not known here. */
export function groupReceiptsOf(updates: BaileysEventMap['message-receipt.update']): HeardAck[] {
  return updates.flatMap(({ key, receipt }) =>
    receiptOf(key, DELIVERED, receipt.receiptTimestamp ?? receipt.readTimestamp),
  )
}

/** A receipt may have come while its message was still on its way out of Baileys, and stand on it. */
export function receiptOn({ key, status, messageTimestamp }: WAMessage): HeardAck[] {
  return receiptOf(key, status, messageTimestamp)
}

/** The server's word on a message that nobody waits for any more. */
export function serverAckOf({ id = '', from = '', error, t }: Record<string, string | undefined>): HeardAck {
  const chat: Chat = chatOf(from) ?? { kind: 'phone', value: '' }
  const at = timeOf(t)
  return { kind: 'ack', chat, externalId: id, at, ...(error ? { ack: 0, reason: error } : { ack: 2 }) }
}

/** One person under two names. */
export function identityOf(jid: string, alt: string): Heard | null {
  const chat = chatOf(jid, alt)
  return chat?.also ? { kind: 'identity', chat, at: new Date().toISOString() } : null
}

function receiptOf(
  key: WAMessage['key'],
  status: proto.WebMessageInfo.Status | null | undefined,
  t: Time,
): HeardAck[] {
  const chat = chatOf(key.remoteJid, key.remoteJidAlt)
  const ack = Number(status)
  if (!key.fromMe || !key.id || !chat || !(ack >= DELIVERED && ack <= PLAYED)) return []
  return [{ kind: 'ack', chat, externalId: key.id, ack, at: timeOf(t) }]
}

type Time = number | string | { toString(): string } | null | undefined

function timeOf(seconds: Time): string {
  const ms = Number(`${seconds ?? ''}`) * 1000
  return new Date(ms > 0 ? ms : Date.now()).toISOString()
}
