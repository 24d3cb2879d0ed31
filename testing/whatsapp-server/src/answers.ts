import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import type { MessageKey } from './contents.ts'

// Votes and replies are sealed with the secret of the message that they answer (whatsmeow, msgsecret.go): HKDF-SHA256 over
// id, its author, who answers and the use; AES-256-GCM with the id and who answers as additional data.

type Message = proto.IMessage

/** Under which addresses the key is derived: the author's of what is answered, and the answering person's. */
export interface Sides {
  author: string
  by: string
}

export type Reply = 'going' | 'maybe' | 'notGoing'

/** A vote with the labels that are chosen; none withdraws it. */
export function vote(key: MessageKey, poll: Message, labels: string[], sides: Sides): Message {
  const selectedOptions = labels.map(label => createHash('sha256').update(label).digest())
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const box = seal(plain, { use: 'Poll Vote', id: key.id ?? '', secret: secretOf(poll), ...sides })
  return {
    pollUpdateMessage: { pollCreationMessageKey: key, vote: box, senderTimestampMs: Date.now() },
  }
}

const { EventResponseType } = proto.Message.EventResponseMessage
const REPLIES = {
  going: EventResponseType.GOING,
  maybe: EventResponseType.MAYBE,
  notGoing: EventResponseType.NOT_GOING,
}

/** Whether somebody comes to an event, and with how many guests. */
export function reply(
  key: MessageKey,
  event: Message,
  answer: Reply,
  sides: Sides & { guests: number },
): Message {
  const { guests: extraGuestCount, ...names } = sides
  const response = { response: REPLIES[answer], timestampMs: Date.now(), extraGuestCount }
  const plain = proto.Message.EventResponseMessage.encode(response).finish()
  const box = seal(plain, { use: 'Event Response', id: key.id ?? '', secret: secretOf(event), ...names })
  return { encEventResponseMessage: { eventCreationMessageKey: key, ...box } }
}

/** A reaction or a comment as communities have them, or a change of an event: sealed without additional data. */
export function sealChange(
  use: 'Enc Reaction' | 'Enc Comment' | 'Event Edit',
  { key, about, sides }: { key: MessageKey; about: Message; sides: Sides },
  plain: Message,
): Message {
  const { reactionMessage } = plain
  const bytes = reactionMessage
    ? proto.Message.ReactionMessage.encode(reactionMessage).finish()
    : proto.Message.encode(plain).finish()
  const box = seal(bytes, { use, id: key.id ?? '', secret: secretOf(about), ...sides })
  const sealed = { targetMessageKey: key, ...box }
  if (use === 'Event Edit')
    return {
      secretEncryptedMessage: {
        ...sealed,
        secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.EVENT_EDIT,
      },
    }
  return use === 'Enc Reaction' ? { encReactionMessage: sealed } : { encCommentMessage: sealed }
}

/** A pin for everyone in the chat, or its removal. */
export const pin = (key: MessageKey, isPinned: boolean): Message => ({
  pinInChatMessage: { key, type: isPinned ? 1 : 2, senderTimestampMs: Date.now() },
})

/** Seconds after which messages of the chat disappear from now on; 0 for never. */
export const timer = (ephemeralExpiration: number): Message => ({
  protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING, ephemeralExpiration },
})

/** What phones send with a message that can be answered. */
export const withAnswerSecret = (message: Message): Message => ({
  ...message,
  messageContextInfo: { messageSecret: randomBytes(32), ...message.messageContextInfo },
})

function secretOf({ messageContextInfo }: Message): Uint8Array {
  const secret = messageContextInfo?.messageSecret
  if (!secret?.length) throw new Error('the message has no secret')
  return secret
}

interface Sealing extends Sides {
  use: 'Poll Vote' | 'Event Response' | 'Enc Reaction' | 'Enc Comment' | 'Event Edit'
  id: string
  secret: Uint8Array
}

function seal(plain: Uint8Array, { use, id, secret, author, by }: Sealing) {
  const info = Buffer.from(`${id}${author}${by}${use}`)
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32))
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, encIv)
  if (use === 'Poll Vote' || use === 'Event Response') cipher.setAAD(Buffer.from(`${id}\0${by}`))
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return { encPayload, encIv }
}
