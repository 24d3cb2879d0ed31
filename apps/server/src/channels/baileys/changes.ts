import { proto, type WAMessage } from 'baileys'
import type { Chat, Heard, Target } from '../../driver.ts'
import { chatOf } from './addresses.ts'
import { incomingContentOf, unwrapped } from './content.ts'
import { lineFrom, textFrom } from './strangers.ts'

const { Type } = proto.Message.ProtocolMessage
const MAX_EMOJI = 40

/** Who says something, and where. */
export interface Utterance {
  externalId: string
  chat: Chat
  author: (Chat & { name: string }) | undefined
  fromMe: boolean
  name: string
  at: string
}

/** What a message does to another one: a reaction, an edit or a deletion; null for anything else. */
export function changeOf(message: WAMessage['message'], saying: Utterance): Heard | null {
  const { reactionMessage, protocolMessage } = unwrapped(message) ?? {}
  if (reactionMessage) return reactionOf(reactionMessage, saying)
  if (protocolMessage?.type === Type.MESSAGE_EDIT) return editOf(protocolMessage, saying)
  // The first of the types is also what stands there when no type was said.
  return protocolMessage?.type === Type.REVOKE ? deletionOf(protocolMessage, saying) : null
}

function reactionOf({ key, text }: proto.Message.IReactionMessage, saying: Utterance): Heard | null {
  if (!key?.id) return null
  const fromMe = key.fromMe === true
  const author = fromMe || saying.chat.kind !== 'group' ? null : chatOf(key.participant)
  const target: Target = { externalId: key.id, fromMe, ...(author && { author }) }
  const { author: by, externalId: _, ...said } = saying
  return { kind: 'reaction', ...said, ...(by && { author: by }), target, emoji: lineFrom(text, MAX_EMOJI) }
}

function editOf({ key, editedMessage }: proto.Message.IProtocolMessage, saying: Utterance): Heard | null {
  const content = incomingContentOf(editedMessage)
  if (!key?.id || !content) return null
  const { chat, externalId, fromMe, name, at } = saying
  return {
    kind: 'edit',
    chat,
    externalId,
    fromMe,
    name,
    target: ownTarget(key.id, saying),
    body: textFrom(content.body),
    at,
  }
}

function deletionOf({ key }: proto.Message.IProtocolMessage, saying: Utterance): Heard | null {
  if (!key?.id) return null
  const { chat, fromMe, at } = saying
  return { kind: 'delete', chat, fromMe, target: ownTarget(key.id, saying), at }
}

/** Whoever edits or deletes says which message; that it is his own is not left to him. */
function ownTarget(externalId: string, { chat, author, fromMe }: Utterance): Target {
  const isOthers = !fromMe && chat.kind === 'group' && author
  return { externalId, fromMe, ...(isOthers && { author: withoutName(author) }) }
}

const withoutName = ({ kind, value, also }: Chat): Chat => ({ kind, value, ...(also && { also }) })
