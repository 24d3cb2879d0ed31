import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  isJidBroadcast,
  proto,
  unpadRandomMax16,
  type WAMessage,
} from 'baileys'

/** WhatsApp lets a list have so many. */
const MOST_RECIPIENTS = 256

/** To whom the phone sent a message to a list of recipients: only its stanza says so. */
export function recipientsIn(stanza: BinaryNode): string[] {
  if (!isJidBroadcast(stanza.attrs.from ?? '')) return []
  const named = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'participants'), 'to')
  return named.flatMap(({ attrs }) => attrs.jid ?? []).slice(0, MOST_RECIPIENTS)
}

/**
 * A message that another device of ours sent comes inside a `deviceSentMessage`, and its `messageContextInfo`, with the secret
 * of a poll, may stand outside of it, where Baileys 7.0.0-rc14 drops it. Answers the message with it; any other as it is.
 */
export function withContext(message: WAMessage, plaintexts: Uint8Array[]): WAMessage {
  const content = message.message
  if (!message.key.fromMe || !content || content.messageContextInfo) return message
  for (const plaintext of plaintexts) {
    const { messageContextInfo } = proto.Message.decode(unpadRandomMax16(plaintext))
    if (messageContextInfo) return { ...message, message: { ...content, messageContextInfo } }
  }
  return message
}
