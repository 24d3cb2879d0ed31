import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import { upload } from './files.ts'
import type { MediaHost } from './media-host.ts'

type Notice = proto.Message.IHistorySyncNotification

const { HistorySyncType } = proto.HistorySync
const squeeze = promisify(deflate)

/** The least that a phone sends to a new companion: without it Baileys holds its events back for 20 seconds. */
export const NO_HISTORY: proto.IHistorySync[] = [
  { syncType: HistorySyncType.INITIAL_BOOTSTRAP, conversations: [], progress: 100, chunkOrder: 1 },
  { syncType: HistorySyncType.RECENT, conversations: [], progress: 100, chunkOrder: 1 },
]

/** The message with which a phone sends a chunk of its history to a companion, packed inline. */
export function inlineHistory(chunk: proto.IHistorySync): proto.IMessage {
  const initialHistBootstrapInlinePayload = deflateSync(proto.HistorySync.encode(chunk).finish())
  return notice(chunk, { initialHistBootstrapInlinePayload })
}

/** The same through the media host. `more` is added to the notice, as requested. */
export async function storedHistory(
  media: MediaHost,
  chunk: proto.IHistorySync,
  more: Notice = {},
): Promise<proto.IMessage> {
  const packed = await squeeze(proto.HistorySync.encode(chunk).finish(), { level: 1 })
  const { url: _, mediaKeyTimestamp: __, ...file } = await upload(media, packed, 'md-msg-hist')
  return notice(chunk, { ...file, ...more })
}

function notice({ syncType, progress, chunkOrder }: proto.IHistorySync, payload: Notice): proto.IMessage {
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: { syncType: syncType as number, progress, chunkOrder, ...payload },
    },
  }
}
