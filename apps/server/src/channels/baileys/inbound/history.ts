import { Readable } from 'node:stream'
import { normalizeMessageContent, processHistoryMessage, proto, type WAMessage, type WASocket } from 'baileys'
import type { Logger } from 'pino'
import { LeaseLost, type OldMessage, type SessionHost } from '../../../driver.ts'
import { inflated } from '../../../platform/files/unzip.ts'
import { openQueue } from '../../../platform/work/serial-queue.ts'
import type { Journal } from '../keys/journal.ts'
import { unseal } from '../media/decrypt.ts'
import { mediaAddressOf } from '../media/download.ts'
import { fetchBytes } from '../media/fetch.ts'
import { insist } from '../session/time-limit.ts'
import { chatOf, completeChat } from './addresses.ts'
import { isSamePerson } from './context.ts'
import { oldMessageOf } from './past.ts'
import type { UnreadKinds } from './unread-kinds.ts'

/** Phones send their past in chunks, with pauses; after this time (ms) there is nothing more. */
const QUIET_MS = 60_000
/** How many messages one commit stages. */
const SLICE = 500
const TRIES = 5
const { FULL } = proto.HistorySync.HistorySyncType

type Notice = proto.Message.IHistorySyncNotification

/**
 * The past that a phone sends. Its chunks are fetched here: when the media host breaks off, Baileys' own
 * download ends the process, and its socket delivers nothing afterwards.
 */
export interface History {
  isPart(message: WAMessage): boolean
  /** Claims a message that brings a chunk; its journal rows are dropped when the chunk is staged. False: it is another. */
  claim(sock: WASocket, message: WAMessage, rowIds: string[]): boolean
  /** Connected, and the past is wanted: from now on the phone may send a part, or has nothing (more). */
  opened(): void
  stop(): void
}

interface Deps {
  host: SessionHost
  unreadKinds: UnreadKinds
  journal: Journal
  log: Logger
  quietMs?: number | undefined
  onLost(): void
}

export function createHistory(deps: Deps): History {
  const { host, unreadKinds, journal, log, quietMs = QUIET_MS, onLost } = deps
  const queue = openQueue()
  let silence: NodeJS.Timeout | undefined
  let isStopped = false

  const inTurn = (work: () => Promise<void>) => {
    void queue(async () => {
      if (isStopped) return
      let tries = 0
      await insist(work, error => {
        if (error instanceof LeaseLost) onLost()
        else log.warn({ err: error }, 'a part of the past could not be taken in')
        return !isStopped && !(error instanceof LeaseLost) && ++tries < TRIES
      })
    })
  }

  const listen = (ms: number) => {
    clearTimeout(silence)
    if (!isStopped) silence = setTimeout(() => inTurn(() => host.stage([], true)), ms)
  }

  const isOwn = (sock: WASocket, { chat }: OldMessage) => {
    const { id = '', lid } = sock.authState.creds.me ?? {}
    const own = chatOf(lid || id, lid ? id : undefined)
    return own !== null && isSamePerson(own, chat)
  }

  async function stage(sock: WASocket, notice: Notice) {
    const chunk = proto.HistorySync.decode(await bytesOf(sock, notice))
    const names = new Map(
      chunk.conversations.map(({ id, name, displayName }) => [id ?? '', displayName || name || '']),
    )
    const { messages, lidPnMappings, syncType, progress } = processHistoryMessage(chunk)
    if (lidPnMappings?.length) await sock.signalRepository.lidMapping.storeLIDPNMappings(lidPnMappings)
    const old: OldMessage[] = []
    for (const message of messages) {
      const one = oldMessageOf(message)
      if (typeof one === 'string' || isOwn(sock, one)) {
        host.count(typeof one === 'string' ? one : 'private to the owner')
        continue
      }
      await unreadKinds.keep(message, one)
      old.push(named(one, names.get(message.key.remoteJid ?? '') ?? ''))
    }
    for (let from = 0; from < old.length; from += SLICE) {
      const slice = old.slice(from, from + SLICE)
      for (const event of slice) event.chat = await completeChat(host.keys, event.chat)
      await host.stage(slice, false)
    }
    listen(syncType === FULL && (progress ?? 0) >= 100 ? quietMs / 10 : quietMs)
  }

  return {
    isPart: message => noticeIn(message) !== undefined,
    claim(sock, message, rowIds) {
      const notice = noticeIn(message)
      if (!notice) return false
      inTurn(async () => {
        await stage(sock, notice)
        await journal.drop(rowIds)
      })
      return true
    },
    opened: () => listen(quietMs),
    stop() {
      isStopped = true
      clearTimeout(silence)
    },
  }
}

const noticeIn = ({ message }: WAMessage) =>
  normalizeMessageContent(message)?.protocolMessage?.historySyncNotification ?? undefined

/** As the company's own phone calls them, else as they call themselves. */
const named = (old: OldMessage, name: string): OldMessage => ({
  ...old,
  name: old.fromMe && old.chat.kind !== 'group' ? '' : name || old.name,
})

/** One part of a history, unpacked: a phone sends tens of megabytes at most. */
const MOST_BYTES = 128 * 1_048_576

async function bytesOf(sock: WASocket, notice: Notice): Promise<Buffer> {
  const { initialHistBootstrapInlinePayload: inline, mediaKey, fileSha256, directPath } = notice
  const file = {
    url: '',
    directPath: directPath ?? '',
    type: 'md-msg-hist',
    mediaKey: Buffer.from(mediaKey ?? []).toString('base64'),
    sha256: Buffer.from(fileSha256 ?? []).toString('base64'),
  } as const
  const packed = inline?.length
    ? Readable.from([Buffer.from(inline)])
    : Readable.from(unseal(await fetchBytes(mediaAddressOf(file, sock.getMediaHost())), file))
  return inflated(packed, MOST_BYTES)
}
