import { proto, type WAMessage } from 'baileys'
import type { Chat, InboundEvent, Target } from '../../../driver.ts'
import { chatOf } from './addresses.ts'
import { incomingContentOf, unwrapped } from './content.ts'
import { lineFrom, textFrom } from './text.ts'

const { Type } = proto.Message.ProtocolMessage
const MAX_EMOJI = 40

/** Author and chat of a change. */
export interface Utterance {
  externalId: string
  chat: Chat
  author: (Chat & { name: string }) | undefined
  fromMe: boolean
  name: string
  at: string
}

/** What a message does to another one: a reaction, an edit or a deletion; null for anything else. */
export function changeOf(message: WAMessage['message'], change: Utterance): InboundEvent | null {
  const { reactionMessage, protocolMessage } = unwrapped(message) ?? {}
  if (reactionMessage) return reactionOf(reactionMessage, change)
  if (protocolMessage?.type === Type.MESSAGE_EDIT) return editOf(protocolMessage, change)
  // The first type is also the default when none was sent.
  return protocolMessage?.type === Type.REVOKE ? deletionOf(protocolMessage, change) : null
}

function reactionOf({ key, text }: proto.Message.IReactionMessage, change: Utterance): InboundEvent | null {
  if (!key?.id) return null
  const fromMe = key.fromMe === true
  const author = fromMe || change.chat.kind !== 'group' ? null : chatOf(key.participant)
  const target: Target = { externalId: key.id, fromMe, ...(author && { author }) }
  const { author: by, externalId: _, ...common } = change
  return { kind: 'reaction', ...common, ...(by && { author: by }), target, emoji: lineFrom(text, MAX_EMOJI) }
}

function editOf(
  { key, editedMessage }: proto.Message.IProtocolMessage,
  change: Utterance,
): InboundEvent | null {
  const content = incomingContentOf(editedMessage)
  if (!key?.id || !content) return null
  const { chat, externalId, fromMe, name, at } = change
  return {
    kind: 'edit',
    chat,
    externalId,
    fromMe,
    name,
    target: ownTarget(key.id, change),
    body: textFrom(content.body),
    at,
  }
}

function deletionOf({ key }: proto.Message.IProtocolMessage, change: Utterance): InboundEvent | null {
  if (!key?.id) return null
  const { chat, fromMe, at } = change
  return { kind: 'delete', chat, fromMe, target: ownTarget(key.id, change), at }
}

/** An edit or deletion names its message; that the author owns it is checked here. */
function ownTarget(externalId: string, { chat, author, fromMe }: Utterance): Target {
  const isOthers = !fromMe && chat.kind === 'group' && author
  return { externalId, fromMe, ...(isOthers && { author: withoutName(author) }) }
}

const withoutName = ({ kind, value, also }: Chat): Chat => ({ kind, value, ...(also && { also }) })
