import { proto, type WAMessage } from 'baileys'
import type { Chat, InboundEvent, Mention, Target } from '../../../driver.ts'
import { externalIdOf } from '../../../platform/external.ts'
import { chatOf } from './addresses.ts'
import { belongingOf } from './belonging.ts'
import { incomingContentOf, unwrapped } from './content.ts'
import { isSamePerson } from './context.ts'
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
  const target: Target = { externalId: externalIdOf(key.id), fromMe, ...(author && { author }) }
  const { author: by, externalId: _, ...common } = change
  return { kind: 'reaction', ...common, ...(by && { author: by }), target, emoji: lineFrom(text, MAX_EMOJI) }
}

function editOf(
  { key, editedMessage }: proto.Message.IProtocolMessage,
  change: Utterance,
): InboundEvent | null {
  const content = incomingContentOf(editedMessage)
  if (!key?.id || !content) return null
  // the caption of a better copy is that of the photo which is shown
  const shown = belongingOf(editedMessage)
  const targetId = shown?.as === 'better' ? shown.parentId : key.id
  // of a kind that cannot be read only that there was an edit is known
  const body = content.mediaType === 'unknown' ? null : textFrom(content.body)
  const data = content.mediaType === 'event' ? content.data : undefined
  return editAbout(externalIdOf(targetId), { body, mentions: content.mentions, data }, change)
}

/** The edit of a message; without a text where that cannot be read. */
export function editAbout(
  targetId: string,
  {
    body,
    mentions,
    data,
  }: { body: string | null; mentions?: Mention[] | undefined; data?: object | undefined },
  change: Utterance,
): InboundEvent {
  const { chat, externalId, fromMe, name, at } = change
  const mentioned = mentions && { mentions }
  const target = ownTarget(targetId, change)
  return {
    kind: 'edit',
    chat,
    externalId,
    fromMe,
    name,
    target,
    body,
    ...mentioned,
    ...(data && { data }),
    at,
  }
}

/**
 * In a group an admin deletes what another wrote: then the key names that author. Whether its sender is an admin is checked
 * when the event is completed (`completion.ts`).
 */
function deletionOf({ key }: proto.Message.IProtocolMessage, change: Utterance): Deletion | null {
  if (!key?.id) return null
  const { chat, author, fromMe, at } = change
  const named = chat.kind === 'group' ? chatOf(key.participant) : null
  const isOthers = named && !(author && isSamePerson(named, author))
  const target = isOthers
    ? { externalId: externalIdOf(key.id), fromMe: false, author: named }
    : ownTarget(externalIdOf(key.id), change)
  return { kind: 'delete', chat, fromMe, target, at, ...(isOthers && author && { by: withoutName(author) }) }
}

/** A deletion in a group of what another wrote: `by` has to be one of its admins. */
export type Deletion = Extract<InboundEvent, { kind: 'delete' }> & { by?: Chat }

/** An edit or deletion names its message; that the author owns it is checked here. */
function ownTarget(externalId: string, { chat, author, fromMe }: Utterance): Target {
  const isOthers = !fromMe && chat.kind === 'group' && author
  return { externalId, fromMe, ...(isOthers && { author: withoutName(author) }) }
}

const withoutName = ({ kind, value, also }: Chat): Chat => ({ kind, value, ...(also && { also }) })
