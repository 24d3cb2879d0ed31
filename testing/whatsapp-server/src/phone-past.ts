import { proto } from 'baileys'
import { type Content, compose } from './contents.ts'
import type { Device } from './directory.ts'
import { inlineHistory, storedHistory } from './history.ts'
import { chatJid, chunksOf, conversation, type Teller } from './history-chunks.ts'
import { type PastChat, type PastMessage, withIds } from './past.ts'
import type { PhoneLine } from './phone-line.ts'
import type { PhoneOutbox } from './phone-outbox.ts'

type OlderRequest = proto.Message.PeerDataOperationRequestMessage.IHistorySyncOnDemandRequest

/** A phone's stored history, sent to its companions automatically or on request. */
export class PhonePast {
  readonly #teller: Teller
  readonly #outbox: PhoneOutbox
  /** Messages with more than words, made once so that their files stay the same. */
  readonly #made = new Map<string, proto.IMessage>()
  #chats: PastChat[] = []

  constructor(line: PhoneLine, outbox: PhoneOutbox) {
    this.#teller = { line, messageOf: message => this.#messageOf(message) }
    this.#outbox = outbox
  }

  remember(past: PastChat[]): void {
    this.#chats = withIds(past)
  }

  /** The old message with this id, when it has more than words. */
  find(id: string): proto.IMessage | undefined {
    return this.#made.get(id)
  }

  /** Sends chunks to a companion unchanged. */
  async handOver(companion: Device, chunks: proto.IHistorySync[]): Promise<void> {
    for (const chunk of chunks) await this.#outbox.tellCompanion(companion, inlineHistory(chunk))
  }

  /** Sends all of it through the media host. Resolves when the last chunk is at the server. */
  async handOverAll(companion: Device): Promise<void> {
    const { media } = this.#teller.line.state
    for await (const chunk of chunksOf(this.#teller, this.#chats, { wantsAll: companion.wantsFullHistory }))
      await this.#outbox.tellCompanion(companion, await storedHistory(media, chunk))
  }

  /** A companion wants so many messages more of a chat, from before the oldest that it has. */
  async handOverOlder(companion: Device, requestId: string, request: OlderRequest): Promise<void> {
    const { line } = this.#teller
    const before = Number(request.oldestMsgTimestampMs)
    const chat = this.#chats.find(({ with: number }) => chatJid(line, number) === request.chatJid)
    const older = chat?.messages.filter(({ at }) => at.getTime() < before) ?? []
    const part = older.slice(-(request.onDemandMsgCount ?? 50)).toReversed()
    const chunk = {
      syncType: proto.HistorySync.HistorySyncType.ON_DEMAND,
      conversations: chat ? [await conversation(this.#teller, chat, part)] : [],
      progress: 100,
      chunkOrder: 1,
    }
    const more = { peerDataRequestSessionId: requestId }
    await this.#outbox.tellCompanion(companion, await storedHistory(line.state.media, chunk, more))
  }

  #messageOf({ id = '', content }: PastMessage): proto.IMessage | Promise<proto.IMessage> {
    return typeof content === 'string' ? { conversation: content } : this.#makeOnce(id, content)
  }

  async #makeOnce(id: string, content: Content): Promise<proto.IMessage> {
    const made = this.#made.get(id) ?? (await compose(this.#teller.line.state.media, content, {}))
    this.#made.set(id, made)
    return made
  }
}
