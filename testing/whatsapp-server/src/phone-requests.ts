import { proto } from 'baileys'
import type { Device } from './directory.ts'
import type { Received } from './phone-inbox.ts'
import type { PhoneOutbox } from './phone-outbox.ts'
import type { PhonePast } from './phone-past.ts'

/** A companion's request to its phone, in a message that only the phone receives. */
export interface PeerRequest {
  id: string
  from: Device
  body: proto.Message.IPeerDataOperationRequestMessage
}

const { PeerDataOperationRequestType: Wish, ProtocolMessage } = proto.Message

/** Answers a companion: with older messages of a chat, or with messages that came to it without their content. */
export async function answerRequest(
  { past, outbox, find }: { past: PhonePast; outbox: PhoneOutbox; find(id: string): Received | undefined },
  { id, from, body }: PeerRequest,
): Promise<void> {
  const wish = body.peerDataOperationRequestType
  if (wish === Wish.HISTORY_SYNC_ON_DEMAND)
    return past.handOverOlder(from, id, body.historySyncOnDemandRequest ?? {})
  if (wish !== Wish.PLACEHOLDER_MESSAGE_RESEND)
    throw new Error(`a phone cannot answer ${Wish[wish ?? 0] ?? wish}`)
  const peerDataOperationResult = (body.placeholderMessageResendRequest ?? []).flatMap(({ messageKey }) => {
    const message = find(messageKey?.id ?? '')
    return message && messageKey ? [resent(messageKey, message)] : []
  })
  await outbox.tellCompanion(from, {
    protocolMessage: {
      type: ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        peerDataOperationRequestType: wish,
        stanzaId: id,
        peerDataOperationResult,
      },
    },
  })
}

/** The secret of a message is beside it, as in a phone's past (whatsmeow: `storeHistoricalMessageSecrets`). */
function resent(key: proto.IMessageKey, { message, at }: Received) {
  const { messageContextInfo, ...rest } = message
  const { messageSecret, ...context } = messageContextInfo ?? {}
  const info = {
    key,
    message: { ...rest, messageContextInfo: context },
    messageTimestamp: Math.floor(at.getTime() / 1000),
    ...(messageSecret && { messageSecret }),
  }
  return {
    placeholderMessageResendResponse: { webMessageInfoBytes: proto.WebMessageInfo.encode(info).finish() },
  }
}
