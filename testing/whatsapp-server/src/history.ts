import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'

const { HistorySyncType } = proto.HistorySync

/** The least that a phone sends to a new companion: without it Baileys holds its events back for 20 seconds. */
export const NO_HISTORY: proto.IHistorySync[] = [
  { syncType: HistorySyncType.INITIAL_BOOTSTRAP, conversations: [], progress: 100, chunkOrder: 1 },
  { syncType: HistorySyncType.RECENT, conversations: [], progress: 100, chunkOrder: 1 },
]

/** The message with which a phone hands a chunk of its history to a companion, packed inline. */
export function historyMessage(chunk: proto.IHistorySync): proto.IMessage {
  const { syncType, progress, chunkOrder } = chunk
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType: syncType as number,
        progress,
        chunkOrder,
        initialHistBootstrapInlinePayload: deflateSync(proto.HistorySync.encode(chunk).finish()),
      },
    },
  }
}
