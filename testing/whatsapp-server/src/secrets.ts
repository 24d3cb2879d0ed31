import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from 'baileys'

type Message = proto.IMessage

const { Type } = proto.Message.ProtocolMessage
const { SecretEncType } = proto.Message.SecretEncryptedMessage
/** WhatsApp Web refuses an edit whose IV has another length (WAWebParseMessageEditEncryptedMessageProto). */
const IV_BYTES = 12
const TAG_BYTES = 16

/** What is about another message, and has no secret of its own. */
const ABOUT_OTHERS = [
  ...['protocolMessage', 'reactionMessage', 'secretEncryptedMessage', 'editedMessage'],
  ...['encReactionMessage', 'encCommentMessage'],
]

/** The message with the secret that phones put into each, by which later edits of it are encrypted. */
export function withSecret(message: Message): Message {
  const isContent = !ABOUT_OTHERS.some(field => message[field as keyof Message])
  const { messageContextInfo } = message
  if (!isContent || messageContextInfo?.messageSecret?.length) return message
  return { ...message, messageContextInfo: { ...messageContextInfo, messageSecret: randomBytes(32) } }
}

/** The copy for the own devices of the sender: what surrounds the message is outside of it (whatsmeow, `marshalMessage`). */
export function deviceSent(destinationJid: string, { messageContextInfo, ...message }: Message): Message {
  return { deviceSentMessage: { destinationJid, message }, ...(messageContextInfo && { messageContextInfo }) }
}

/** The addresses, without a device, that the key of an edit is derived from. Phones use LIDs or numbers. */
export interface EditNames {
  author: string
  editor: string
}

/**
 * An edit as phones send it since May 2026: encrypted by the secret of the message that it changes. The key is
 * HKDF-SHA256 of the secret with the information `id author editor "Message Edit"`, without additional data
 * (WhatsApp Web: WAUseCaseSecret, WAWebAddonEncryption, WAWebGenerateSecretMessageEditProto; whatsmeow: msgsecret.go).
 */
export function sealEdit(edit: Message, original: Message, names: EditNames): Message {
  const { protocolMessage } = edit.editedMessage?.message ?? edit
  const targetMessageKey = protocolMessage?.key
  const messageSecret = original.messageContextInfo?.messageSecret
  if (!targetMessageKey?.id || !messageSecret) throw new Error('an edit needs a message with a secret')
  const encIv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', editKey(messageSecret, targetMessageKey.id, names), encIv)
  const plaintext = proto.Message.encode({ protocolMessage }).finish()
  const encPayload = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  return {
    secretEncryptedMessage: {
      targetMessageKey,
      encPayload,
      encIv,
      secretEncType: SecretEncType.MESSAGE_EDIT,
    },
    messageContextInfo: { messageSecret },
  }
}

/** The edit inside, as strictly as WhatsApp Web reads it. Throws when it cannot be read. */
export function openEdit(sealed: Message, original: Message, names: EditNames[]): Message {
  const { targetMessageKey, encPayload, encIv, secretEncType } = sealed.secretEncryptedMessage ?? {}
  const secret = original.messageContextInfo?.messageSecret
  if (secretEncType !== SecretEncType.MESSAGE_EDIT || !targetMessageKey?.id || !encPayload || !secret)
    throw new Error('an encrypted edit is incomplete')
  if (encIv?.length !== IV_BYTES) throw new Error('an encrypted edit has a wrong IV')
  for (const one of names) {
    const plaintext = decrypt(editKey(secret, targetMessageKey.id, one), encIv, Buffer.from(encPayload))
    if (!plaintext) continue
    const message = proto.Message.decode(plaintext)
    if (message.protocolMessage?.type !== Type.MESSAGE_EDIT) throw new Error('no edit was encrypted')
    return message
  }
  throw new Error('an encrypted edit cannot be decrypted')
}

const editKey = (secret: Uint8Array, id: string, { author, editor }: EditNames) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `${id}${author}${editor}Message Edit`, 32))

function decrypt(key: Buffer, iv: Uint8Array, payload: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, iv)
  decipher.setAuthTag(payload.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
