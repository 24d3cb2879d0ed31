import { type BinaryNode, proto, type WAMessageKey } from 'baileys'
import type { Operation } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { jidOf } from '../inbound/addresses.ts'
import { withMentionedJids } from './kinds/text.ts'

const { Type } = proto.Message.ProtocolMessage
const { Type: PinType } = proto.Message.PinInChatMessage
/** How the stanza of a message refers to another one. */
const EDIT = { edit: '1' }
const DELETE = { edit: '7' }
const DELETE_AS_ADMIN = { edit: '8' }
const PIN = { edit: '2' }
/** The kinds whose caption is what an edit changes. */
const CAPTIONED = ['imageMessage', 'videoMessage', 'documentMessage'] as const

export interface Packed {
  message: proto.IMessage
  attrs?: Record<string, string>
  nodes?: BinaryNode[]
}

/** The message that carries out an operation; `original` is what it is about, when that is ours and known. */
export function packOperation(
  jid: string,
  operation: Operation,
  original: proto.IMessage | null | undefined,
): Packed {
  const key = keyOf(jid, operation)
  if (operation.what === 'react')
    return { message: { reactionMessage: { key, text: operation.emoji, senderTimestampMs: databaseNow() } } }
  if (operation.what === 'delete') {
    const message = { protocolMessage: { key, type: Type.REVOKE } }
    return { message, attrs: operation.chat.kind === 'group' && !key.fromMe ? DELETE_AS_ADMIN : DELETE }
  }
  if (operation.what === 'pin') return { message: pinning(key, operation.seconds), attrs: PIN }
  const editedMessage = editedOf(operation, original)
  return {
    message: { protocolMessage: { key, type: Type.MESSAGE_EDIT, editedMessage, timestampMs: databaseNow() } },
    attrs: EDIT,
  }
}

const pinning = (key: WAMessageKey, seconds: number): proto.IMessage => ({
  pinInChatMessage: {
    key,
    type: seconds > 0 ? PinType.PIN_FOR_ALL : PinType.UNPIN_FOR_ALL,
    senderTimestampMs: databaseNow(),
  },
  messageContextInfo: { messageAddOnDurationInSecs: seconds },
})

function keyOf(remoteJid: string, { chat, target }: Operation): WAMessageKey {
  const { externalId: id, fromMe, author } = target
  const participant = chat.kind === 'group' && !fromMe && author ? jidOf(author) : undefined
  return { remoteJid, id, fromMe, ...(participant && { participant }) }
}

/** A caption is changed on its picture; anything else is a text. */
function editedOf(
  { body, mentions }: Extract<Operation, { what: 'edit' }>,
  original: proto.IMessage | null | undefined,
): proto.IMessage {
  for (const kind of CAPTIONED) {
    const part = original?.[kind]
    if (part) return { [kind]: { ...part, caption: body, contextInfo: null } }
  }
  const { text, mentions: mentionedJid } = withMentionedJids(body, mentions)
  return { extendedTextMessage: { text, ...(mentionedJid && { contextInfo: { mentionedJid } }) } }
}
