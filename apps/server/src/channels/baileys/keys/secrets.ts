import { hkdfSync } from 'node:crypto'
import { isJidGroup, jidDecode, normalizeMessageContent, proto, unpadRandomMax16 } from 'baileys'
import { externalIdOf } from '../../../platform/external.ts'
import { POLL_FIELDS } from '../inbound/answers.ts'

/** The type of key rows that hold the secrets of messages, by which later changes of them are encrypted. */
export const MESSAGE_SECRET = 'message-secret'

/** Kinds whose text or caption can be edited. */
const EDITABLE = [
  'conversation',
  'extendedTextMessage',
  'imageMessage',
  'videoMessage',
  'documentMessage',
  'eventMessage',
] as const

/** In communities also reactions and comments are encrypted, and those are about any kind. */
const IN_GROUPS = [
  ...EDITABLE,
  'audioMessage',
  'stickerMessage',
  'ptvMessage',
  'locationMessage',
  'contactMessage',
  ...POLL_FIELDS,
] as const

/** Ids are unique only with their author; in chats of two both sides may use the same. */
export const secretIdOf = (externalId: string, author: string): string =>
  `${externalIdOf(externalId)} ${jidDecode(author)?.user ?? ''}`

/**
 * The secret of an own message: derived from its id, so that it is the same however often the message is composed, and
 * known when the phone edits it, without a row.
 */
export const ownSecret = ({ advSecretKey }: { advSecretKey: string }, externalId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(advSecretKey, 'base64'), '', `secret of ${externalId}`, 32))

/** The row for the secret of a message that was decrypted; null for one of which no encrypted change comes. */
export function secretIn(
  attrs: Record<string, string>,
  plaintext: Uint8Array,
): { id: string; value: string } | null {
  const secret = changeSecretOf(decoded(plaintext), isJidGroup(attrs.from) === true)
  const author = attrs.participant ?? attrs.from
  return secret && attrs.id && author ? { id: secretIdOf(attrs.id, author), value: secret } : null
}

/** The secret of a message in base64; null without one, and for a kind of which no encrypted change comes. */
export function changeSecretOf(
  message: proto.IMessage | null | undefined,
  isOfGroup: boolean,
): string | null {
  const whole = originalOf(message ?? {})
  const secret = whole.messageContextInfo?.messageSecret
  const content = normalizeMessageContent(whole)
  if (!secret?.length || !(isOfGroup ? IN_GROUPS : EDITABLE).some(kind => content?.[kind])) return null
  return Buffer.from(secret).toString('base64')
}

/**
 * The message in a copy that another device of ours sent, with what surrounds it: that is outside, and Baileys
 * 7.0.0-rc14 drops it. Any other message as it is.
 */
function originalOf(message: proto.IMessage): proto.IMessage {
  const inner = message.deviceSentMessage?.message
  if (!inner) return message
  const { messageContextInfo } = message
  return inner.messageContextInfo || !messageContextInfo ? inner : { ...inner, messageContextInfo }
}

function decoded(plaintext: Uint8Array): proto.IMessage | null {
  try {
    return proto.Message.decode(unpadRandomMax16(plaintext))
  } catch {
    return null
  }
}
