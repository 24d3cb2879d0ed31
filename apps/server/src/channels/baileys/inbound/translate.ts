import { CIPHERTEXT } from '@balcao/contract/messages.rules.ts'
import { isJidBroadcast, type WAMessage } from 'baileys'
import type { Chat, InboundEvent, Silence } from '../../../driver.ts'
import { databaseNow, databaseTime, LAST_MS } from '../../../platform/clock.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { strangeOf } from '../../received.ts'
import { fileOf } from '../media/sources.ts'
import { chatOf, isOfWhatsApp, isStatusOrNewsletter } from './addresses.ts'
import { belongingOf } from './belonging.ts'
import { changeOf, editAbout, type Utterance } from './changes.ts'
import { chatEventOf, timerEventOf } from './chat-events.ts'
import { fieldIn, incomingContentOf, unwrapped } from './content.ts'
import { keptOf } from './kept.ts'
import type { IncomingContent } from './kinds/kind.ts'
import { SILENCES } from './kinds/silences.ts'
import { lineFrom, usernameFrom } from './text.ts'

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

/** The same; what cannot be read is an event of the kind `strange`, with the reason. */
export function readableEventOf(message: WAMessage): InboundEvent | null {
  try {
    return inboundFrom(message)
  } catch (error) {
    const { key, messageTimestamp } = message
    const chat = chatOf(key.remoteJid, key.remoteJidAlt)
    return strangeOf({ chat, at: timeOf(messageTimestamp), raw: keptOf(message) }, error)
  }
}

/** Why a message becomes no event. */
export function silenceOf(message: WAMessage): Silence {
  if (!message.key.id) return 'without an id'
  if (!sayingOf(message)) return 'no chat of ours'
  if (belongingOf(message.message)?.as === 'film') return 'motion photo'
  const field = fieldIn(unwrapped(message.message))
  return (field && SILENCES[field]) ?? 'without a content'
}

/** The message that an edit changes, as it is then: a history has an edited message in the form of its edit. */
export function editedMessageOf(message: WAMessage): InboundMessage | null {
  const saying = sayingOf(message)
  const edit = unwrapped(message.message)?.protocolMessage
  const id = edit?.key?.id
  if (!saying || !id || !edit.editedMessage) return null
  return messageOf(
    { ...message, key: { ...message.key, id }, message: edit.editedMessage },
    { ...saying, externalId: externalIdOf(id) },
  )
}

/** A message whose content is not here (yet): only the phone itself may show it, or it could not be decrypted. */
export function placeholderOf(message: WAMessage, { isViewOnce = false } = {}): InboundMessage | null {
  const saying = sayingOf(message)
  return saying && saying.externalId !== ''
    ? written(saying, isViewOnce ? WITHHELD : { body: '', mediaType: CIPHERTEXT })
    : null
}

/** Of a message that arrived without its content and turned out not to be shown by itself. */
export function withdrawalOf(message: WAMessage): InboundEvent | null {
  const saying = sayingOf(message)
  if (!saying) return null
  const { chat, author, externalId, fromMe, at } = saying
  return { kind: 'nothing', chat, ...(author && { author }), externalId, fromMe, at }
}

/** An edit that cannot be decrypted: that there was one is known. */
export function unreadableEditOf(message: WAMessage, targetId: string): InboundEvent | null {
  const saying = sayingOf(message)
  return saying && editAbout(targetId, { body: null }, saying)
}

/** Only the phone itself shows what may be seen once: the other devices learn only that it exists. */
export const isWithheld = ({ key, message }: WAMessage): boolean => !message && key.isViewOnce === true

/** A notification about a group, which Baileys gives as a message without content. */
export const isChatEvent = (message: WAMessage): boolean => !message.message && chatEventOf(message) !== null

const WITHHELD: IncomingContent = { body: '', mediaType: 'viewOnceMessage' }

function messageOf(message: WAMessage, saying: Utterance): InboundMessage | null {
  const found = isWithheld(message)
    ? WITHHELD
    : message.message
      ? (timerEventOf(unwrapped(message.message)) ?? incomingContentOf(message.message))
      : chatEventOf(message)
  const belonging = belongingOf(message.message)
  // the film of a moving photo, whose photo is a message of its own
  if (!found || belonging?.as === 'film') return null
  const { file, referral, ...content }: IncomingContent = found
  if (content.data && 'sequence' in content.data) content.data = { ...content.data, movedAt: saying.at }
  const media = file && fileOf(file.type, file.part, message.key)
  return {
    ...written(saying, content),
    ...(media && { file: media }),
    ...(belonging?.as === 'better' && { externalId: externalIdOf(belonging.parentId), isBetter: true }),
    ...(belonging?.as === 'album' && { data: { album: externalIdOf(belonging.parentId) } }),
    ...(referral && !saying.fromMe && { referral }),
  }
}

const written = (
  { externalId, chat, author, fromMe, name, at }: Utterance,
  content: Omit<IncomingContent, 'file'>,
): InboundMessage => ({
  kind: 'message',
  chat,
  externalId,
  fromMe,
  name: chat.kind === 'group' ? '' : name,
  ...(author && { author }),
  ...content,
  at,
})

/** Who wrote a message, where and when; null for what is no chat of ours. */
export function sayingOf({ key, pushName, messageTimestamp }: WAMessage): Utterance | null {
  // A message to somebody's list of recipients is, for us, theirs.
  const isList = isJidBroadcast(key.remoteJid ?? '') && !isStatusOrNewsletter(key.remoteJid ?? '')
  const chat = isList ? chatOf(key.participant, key.participantAlt) : chatOf(key.remoteJid, key.remoteJidAlt)
  // a list of the owner's has no one chat
  if (!chat || (isList && key.fromMe) || isOfWhatsApp(chat)) return null
  const name = lineFrom(pushName)
  const author = chat.kind === 'group' ? chatOf(key.participant, key.participantAlt) : null
  const username = usernameFrom(author ? key.participantUsername : key.remoteJidUsername)
  return {
    externalId: externalIdOf(key.id),
    chat: username && chat.kind !== 'group' ? { ...chat, username } : chat,
    author: author ? { ...author, name: name || (username && `@${username}`) } : undefined,
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
  return {
    kind: 'ack',
    chat,
    externalId: externalIdOf(id),
    at,
    ...(error ? { ack: 0, reason: error } : { ack: 2 }),
  }
}

/** One person under two names. */
export function identityOf(jid: string, alt: string): InboundEvent | null {
  const chat = chatOf(jid, alt)
  return chat?.also ? { kind: 'identity', chat, at: databaseTime() } : null
}

type Time = number | string | { toString(): string } | null | undefined

/** A time as the protocol gives it; now, when it gives none. */
export function timeOf(seconds: Time): string {
  const ms = Number(`${seconds ?? ''}`) * 1000
  return new Date(ms > 0 && ms <= LAST_MS ? ms : databaseNow()).toISOString()
}
