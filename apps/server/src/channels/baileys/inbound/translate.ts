import { isJidBroadcast, type WAMessage } from 'baileys'
import type { Chat, InboundEvent } from '../../../driver.ts'
import { fileOf } from '../media/sources.ts'
import { chatOf } from './addresses.ts'
import { changeOf, type Utterance } from './changes.ts'
import { type IncomingContent, incomingContentOf } from './content.ts'
import { lineFrom, textFrom } from './text.ts'

type InboundAck = Extract<InboundEvent, { kind: 'ack' }>
type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

/**
 * The inbound event of a message: itself, or what it does to another one; null when that is nothing (stubs, votes,
 * other people's broadcasts).
 */
export function inboundFrom(message: WAMessage): InboundEvent | null {
  const saying = sayingOf(message)
  if (!saying || !message.key.id) return null
  return changeOf(message.message, saying) ?? messageOf(message, saying)
}

/** Only the phone itself shows what may be seen once: the other devices learn only that it exists. */
export const isWithheld = ({ key, message }: WAMessage): boolean => !message && key.isViewOnce === true

const WITHHELD: IncomingContent = { body: '', mediaType: 'viewOnceMessage' }

function messageOf(
  message: WAMessage,
  { externalId, chat, author, fromMe, name, at }: Utterance,
): InboundMessage | null {
  const found = isWithheld(message) ? WITHHELD : incomingContentOf(message.message)
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

function sayingOf({ key, pushName, messageTimestamp }: WAMessage): Utterance | null {
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

/** The server's ack of a message that is not awaited any more. */
export function serverAckOf({
  id = '',
  from = '',
  error,
  t,
}: Record<string, string | undefined>): InboundAck {
  const chat: Chat = chatOf(from) ?? { kind: 'phone', value: '' }
  const at = timeOf(t)
  return { kind: 'ack', chat, externalId: id, at, ...(error ? { ack: 0, reason: error } : { ack: 2 }) }
}

/** One person under two names. */
export function identityOf(jid: string, alt: string): InboundEvent | null {
  const chat = chatOf(jid, alt)
  return chat?.also ? { kind: 'identity', chat, at: new Date().toISOString() } : null
}

type Time = number | string | { toString(): string } | null | undefined

/** A time as the protocol gives it; now, when it gives none. */
export function timeOf(seconds: Time): string {
  const ms = Number(`${seconds ?? ''}`) * 1000
  return new Date(ms > 0 ? ms : Date.now()).toISOString()
}
