import { createDecipheriv, hkdfSync } from 'node:crypto'
import { proto } from 'baileys'
import { unwrapped } from '../content.ts'

const { SecretEncType } = proto.Message.SecretEncryptedMessage
const { Type } = proto.Message.ProtocolMessage
const IV_BYTES = 12
/** A text of 65,536 characters and what surrounds it. */
const MAX_BYTES = 300_000
const TAG_BYTES = 16

/** An encrypted edit: what it is about, and its ciphertext. */
export interface SealedEdit {
  key: proto.IMessageKey
  targetId: string
  payload: Uint8Array
  iv: Uint8Array
}

/** The edit in a message; null for anything else, and for what is malformed. */
export function sealedEditOf(message: proto.IMessage | null | undefined): SealedEdit | null {
  const {
    targetMessageKey: key,
    encPayload,
    encIv,
    secretEncType,
  } = unwrapped(message)?.secretEncryptedMessage ?? {}
  if (secretEncType !== SecretEncType.MESSAGE_EDIT || !key?.id || !encPayload || !encIv) return null
  if (encIv.length !== IV_BYTES || encPayload.length <= TAG_BYTES) return null
  if (encPayload.length > MAX_BYTES) return null
  return { key, targetId: key.id, payload: encPayload, iv: encIv }
}

/**
 * Decrypts an edit: AES-256-GCM under HKDF-SHA256 of the secret of its message, with the id of that message, its author
 * and the editor as information. Only its author edits a message, so both are one of `jids`, the addresses of
 * whoever sent the edit; which of them a phone uses cannot be known before. Null when none fits. Source:
 * WhatsApp Web's WAUseCaseSecret and WAWebAddonEncryption; whatsmeow, msgsecret.go; Baileys #2547.
 */
export function openEdit(
  { key, targetId, payload, iv }: SealedEdit,
  secret: Uint8Array,
  jids: string[],
): proto.IMessage | null {
  for (const author of jids)
    for (const editor of jids) {
      const derived = hkdfSync('sha256', secret, '', `${targetId}${author}${editor}Message Edit`, 32)
      const edited = decrypt(Buffer.from(derived), iv, payload)
      if (edited) return plainEdit(key, edited)
    }
  return null
}

function decrypt(key: Buffer, iv: Uint8Array, payload: Uint8Array): proto.IMessage | null {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(payload.subarray(-TAG_BYTES))
  try {
    return proto.Message.decode(
      Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()]),
    )
  } catch {
    return null
  }
}

/** The edit in the form that it had before it was encrypted: phones encrypt that whole, some programs its content only. */
function plainEdit(key: proto.IMessageKey, opened: proto.IMessage): proto.IMessage {
  const { protocolMessage } = opened.editedMessage?.message ?? opened
  const edited = protocolMessage?.type === Type.MESSAGE_EDIT ? protocolMessage.editedMessage : opened
  return { protocolMessage: { type: Type.MESSAGE_EDIT, key, editedMessage: edited ?? null } }
}
