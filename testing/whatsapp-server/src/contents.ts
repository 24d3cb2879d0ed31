import { proto } from 'baileys'

type Message = proto.IMessage
export type MessageKey = proto.IMessageKey

const { Type } = proto.Message.ProtocolMessage

/** A text, as phones send it: with a context when it answers something. */
export function text(body: string, quoted?: { id: string; author: string; message: Message }): Message {
  if (!quoted) return { conversation: body }
  const contextInfo = { stanzaId: quoted.id, participant: quoted.author, quotedMessage: quoted.message }
  return { extendedTextMessage: { text: body, contextInfo } }
}

/** An emoji on a message; an empty one takes it back. */
export function reaction(key: MessageKey, emoji: string): Message {
  return { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } }
}

/** Another text for an own message. */
export function edit(key: MessageKey, body: string): Message {
  const editedMessage = { conversation: body }
  return { protocolMessage: { type: Type.MESSAGE_EDIT, key, editedMessage, timestampMs: Date.now() } }
}

/** "Delete for everyone". */
export function revoke(key: MessageKey): Message {
  return { protocolMessage: { type: Type.REVOKE, key } }
}

/** The words a person sees: the text, or the caption. */
export function textOf(message: Message): string | undefined {
  return (
    message.conversation ||
    message.extendedTextMessage?.text ||
    message.imageMessage?.caption ||
    message.videoMessage?.caption ||
    message.documentMessage?.caption ||
    undefined
  )
}

/** The id of the message that this one answers. */
export function quotedId(message: Message): string | undefined {
  return message.extendedTextMessage?.contextInfo?.stanzaId ?? undefined
}
