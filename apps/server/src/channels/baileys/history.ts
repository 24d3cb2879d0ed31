import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createInflate } from 'node:zlib'
import { normalizeMessageContent, processHistoryMessage, proto, type WAMessage, type WASocket } from 'baileys'
import type { Logger } from 'pino'
import { type Heard, LeaseLost, type SessionHost } from '../../driver.ts'
import { openQueue } from '../../platform/queue.ts'
import { completeChat } from './addresses.ts'
import { mediaAddressOf } from './download.ts'
import { fetchBytes } from './fetch.ts'
import type { Journal } from './journal.ts'
import { insist } from './patience.ts'
import { heardIn } from './translate.ts'
import { unseal } from './unseal.ts'

/** Phones hand their past over in chunks, with pauses; after so long there is nothing more. */
const QUIET_MS = 60_000
/** So many are written down in one commit. */
const SLICE = 500
const TRIES = 5
const { FULL } = proto.HistorySync.HistorySyncType

type Old = Extract<Heard, { kind: 'message' }>
type Notice = proto.Message.IHistorySyncNotification

/**
 * What a phone hands over of its past. The chunks are fetched here: where the media host breaks off, Baileys' own
 * download ends the process, and its socket delivers nothing afterwards.
 */
export interface History {
  isPart(message: WAMessage): boolean
  /** Takes a message that brings a chunk; its journal rows go when the chunk is written down. False: it is another. */
  take(sock: WASocket, message: WAMessage, rowIds: string[]): boolean
  /** Connected with a past that is wanted: from now on the phone may hand over something, or has nothing (more). */
  opened(): void
  stop(): void
}

interface Deps {
  host: SessionHost
  journal: Journal
  log: Logger
  quietMs?: number | undefined
  onLost(): void
}

export function createHistory({ host, journal, log, quietMs = QUIET_MS, onLost }: Deps): History {
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

  async function stage(sock: WASocket, notice: Notice) {
    const chunk = proto.HistorySync.decode(await bytesOf(sock, notice))
    const names = new Map(
      chunk.conversations.map(({ id, name, displayName }) => [id ?? '', displayName || name || '']),
    )
    const { messages, lidPnMappings, syncType, progress } = processHistoryMessage(chunk)
    if (lidPnMappings?.length) await sock.signalRepository.lidMapping.storeLIDPNMappings(lidPnMappings)
    const old = messages.flatMap(message => oldOf(message, names))
    for (let from = 0; from < old.length; from += SLICE) {
      const slice = old.slice(from, from + SLICE)
      for (const heard of slice) heard.chat = await completeChat(host.keys, heard.chat)
      await host.stage(slice, false)
    }
    listen(syncType === FULL && (progress ?? 0) >= 100 ? quietMs / 10 : quietMs)
  }

  return {
    isPart: message => noticeIn(message) !== undefined,
    take(sock, message, rowIds) {
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

function oldOf(message: WAMessage, names: Map<string, string>): Old[] {
  const heard = heardIn(message)
  if (heard?.kind !== 'message') return []
  const name = names.get(message.key.remoteJid ?? '') ?? ''
  // as the company's own phone calls them, else as they call themselves
  return [{ ...heard, name: heard.fromMe && heard.chat.kind !== 'group' ? '' : name || heard.name }]
}

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
  return buffer(packed.pipe(createInflate()))
}
