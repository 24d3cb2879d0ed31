import { Readable } from 'node:stream'
import { normalizeMessageContent, processHistoryMessage, proto, type WAMessage, type WASocket } from 'baileys'
import type { Logger } from 'pino'
import { type Chat, LeaseLost, type SessionHost } from '../../../driver.ts'
import { isWithin } from '../../../features/imports/imports.rules.ts'
import { inflated } from '../../../platform/files/unzip.ts'
import { openQueue } from '../../../platform/work/serial-queue.ts'
import type { Journal } from '../keys/journal.ts'
import { unseal } from '../media/decrypt.ts'
import { mediaAddressOf } from '../media/download.ts'
import { fetchBytes } from '../media/fetch.ts'
import { insist } from '../session/time-limit.ts'
import { chatOf, completeChat } from './addresses.ts'
import { idOfCopy } from './own-lists.ts'
import { pastOfChunk } from './past.ts'
import { usernameFrom } from './text.ts'
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
  const { host, journal, log, quietMs = QUIET_MS, onLost } = deps
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

  return {
    isPart: message => noticeIn(message) !== undefined,
    claim(sock, message, rowIds) {
      const notice = noticeIn(message)
      if (!notice) return false
      inTurn(async () => {
        listen((await stagePart(deps, sock, notice)) ? quietMs / 10 : quietMs)
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

/** Fetches a part and stages its messages. Answers whether it is the last one. */
async function stagePart(
  { host, unreadKinds }: Pick<Deps, 'host' | 'unreadKinds'>,
  sock: WASocket,
  notice: Notice,
): Promise<boolean> {
  const chunk = proto.HistorySync.decode(await bytesOf(sock, notice))
  const chats = new Map(
    chunk.conversations.map(({ id, name, displayName, username }) => [
      id ?? '',
      { name: displayName || name || '', username: usernameFrom(username) },
    ]),
  )
  const { messages, lidPnMappings, syncType, progress } = processHistoryMessage(chunk)
  if (lidPnMappings?.length) await sock.signalRepository.lidMapping.storeLIDPNMappings(lidPnMappings)
  const past = pastOfChunk(messages, chats, ownChat(sock))
  const wanted = await host.history()
  for (const { message, event } of past.old)
    if (wanted && !event.isToList && isWithin(wanted, event)) await unreadKinds.keep(message, event)
  const old = past.old.map(({ event }) => event)
  for (let from = 0; from < old.length; from += SLICE) {
    const slice = old.slice(from, from + SLICE)
    for (const event of slice) {
      event.chat = await completeChat(host.keys, event.chat)
      if (event.isToList) event.externalId = await idOfCopy(host.keys, event.externalId, event.chat)
    }
    await host.stage(slice, false)
  }
  // once, however often it is tried
  for (const why of past.silences) host.count(why)
  return syncType === FULL && (progress ?? 0) >= 100
}

const noticeIn = ({ message }: WAMessage) =>
  normalizeMessageContent(message)?.protocolMessage?.historySyncNotification ?? undefined

/** The number of the connection, with its LID. */
function ownChat(sock: WASocket): Chat | null {
  const { id = '', lid } = sock.authState.creds.me ?? {}
  return chatOf(lid || id, lid ? id : undefined)
}

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
