import { createDecipheriv, hkdfSync } from 'node:crypto'
import { proto, type WAMessageKey } from 'baileys'
import { unwrapped } from '../content.ts'

const { SecretEncType } = proto.Message.SecretEncryptedMessage
const { Type } = proto.Message.ProtocolMessage
const IV_BYTES = 12
/** A text of 65,536 characters and what surrounds it. */
const MAX_BYTES = 300_000
const TAG_BYTES = 16

type Use = 'Message Edit' | 'Event Edit' | 'Enc Reaction' | 'Enc Comment'

/** What a message does to another one, encrypted by the secret of that. */
export interface SealedChange {
  use: Use
  /** Of the message that it is about, as its sender names it. */
  key: proto.IMessageKey
  targetId: string
  payload: Uint8Array
  iv: Uint8Array
}

/** The encrypted change in a message; null for anything else, and for what is malformed. */
export function sealedChangeOf(message: proto.IMessage | null | undefined): SealedChange | null {
  const { use, part } = partIn(unwrapped(message) ?? {}) ?? {}
  const { targetMessageKey: key, encPayload: payload, encIv: iv } = part ?? {}
  if (!use || !key?.id || !payload || !iv) return null
  if (iv.length !== IV_BYTES || payload.length <= TAG_BYTES || payload.length > MAX_BYTES) return null
  return { use, key, targetId: key.id, payload, iv }
}

type Part = Pick<proto.Message.ISecretEncryptedMessage, 'targetMessageKey' | 'encPayload' | 'encIv'>

function partIn({
  secretEncryptedMessage: edit,
  encReactionMessage: reaction,
  encCommentMessage: comment,
}: proto.IMessage): { use: Use; part: Part } | null {
  if (reaction) return { use: 'Enc Reaction', part: reaction }
  if (comment) return { use: 'Enc Comment', part: comment }
  if (edit?.secretEncType === SecretEncType.MESSAGE_EDIT) return { use: 'Message Edit', part: edit }
  return edit?.secretEncType === SecretEncType.EVENT_EDIT ? { use: 'Event Edit', part: edit } : null
}

/** Whether only the author of a message may send this about it. */
export const isByAuthor = ({ use }: SealedChange): boolean => use === 'Message Edit' || use === 'Event Edit'

/**
 * Decrypts a change: AES-256-GCM under HKDF-SHA256 of the secret of its message, with the id of that message, its author,
 * the sender of the change and the use as information. `authors` and `senders` are the addresses of both; which of
 * them a phone uses cannot be known before. The message in the form that it had without encryption; null when none fits.
 * Source: WhatsApp Web's WAUseCaseSecret and WAWebAddonEncryption; whatsmeow, msgsecret.go; Baileys #2547.
 */
export function openChange(
  sealed: SealedChange,
  secret: Uint8Array,
  { authors, senders, target }: { authors: string[]; senders: string[]; target: WAMessageKey },
): proto.IMessage | null {
  const { use, targetId } = sealed
  for (const author of authors)
    for (const sender of senders) {
      const derived = hkdfSync('sha256', secret, '', `${targetId}${author}${sender}${use}`, 32)
      const plain = decrypted(Buffer.from(derived), sealed)
      if (plain) return plainOf(sealed, plain, target)
    }
  return null
}

function decrypted(key: Buffer, { iv, payload }: SealedChange): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(payload.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

function plainOf({ use, key }: SealedChange, plain: Buffer, target: WAMessageKey): proto.IMessage | null {
  try {
    if (use === 'Enc Reaction')
      return { reactionMessage: { ...proto.Message.ReactionMessage.decode(plain), key: target } }
    const message = proto.Message.decode(plain)
    return use === 'Enc Comment'
      ? { commentMessage: { message, targetMessageKey: target } }
      : plainEdit(key, message)
  } catch {
    return null
  }
}

/** Phones encrypt the whole edit, some programs its content only. */
function plainEdit(key: proto.IMessageKey, opened: proto.IMessage): proto.IMessage {
  const { protocolMessage } = opened.editedMessage?.message ?? opened
  const edited = protocolMessage?.type === Type.MESSAGE_EDIT ? protocolMessage.editedMessage : opened
  return { protocolMessage: { type: Type.MESSAGE_EDIT, key, editedMessage: edited ?? null } }
}
