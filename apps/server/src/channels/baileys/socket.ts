import { setImmediate } from 'node:timers/promises'
import {
  areJidsSameUser,
  type BaileysEventMap,
  type BinaryNode,
  Browsers,
  type CacheStore,
  type ConnectionState,
  isJidNewsletter,
  isJidStatusBroadcast,
  makeWASocket,
  type proto,
  type SocketConfig,
  type WAMessage,
  type WASocket,
} from 'baileys'
import { type Heard, type KeyRows, LeaseLost, type SessionDoor } from '../driver.ts'
import { type Auth, loadAuth } from './auth-state.ts'
import type { Calls } from './calls.ts'
import type { Composer } from './compose.ts'
import { createDownloads, type Downloads } from './download.ts'
import { createFence, drain } from './fence.ts'
import { createGroups, type Groups } from './groups.ts'
import { guard } from './guard.ts'
import type { History } from './history.ts'
import type { Journal } from './journal.ts'
import { insist } from './patience.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createPresence, type Presence } from './presence.ts'
import { createSender, type Sender } from './send.ts'
import { groupReceiptsOf, heardIn, identityOf, isWithheld, receiptOn, receiptsOf } from './translate.ts'

const CALL_TRIES = 10

/** One attempt at being connected; when it has closed, another one is made. */
export interface Wire {
  sock: WASocket
  auth: Auth
  sender: Sender
  groups: Groups
  downloads: Downloads
  presence: Presence
  /** Takes a part of the past that an earlier socket brought; false for anything else, or when it is not wanted. */
  takePast(message: WAMessage, rowIds: string[]): boolean
  /** Its keys are gone: another one is to come. */
  isRetired: boolean
  /** Resolves when the socket has closed and its last news is out. */
  closed: Promise<void>
  /**
   * Lets it finish what it is doing, stores its credentials and takes its keys away; only then may another one open.
   * Rejects while the credentials cannot be stored.
   */
  retire(): Promise<void>
}

export interface WireOptions {
  rows: KeyRows
  journal: Journal
  calls: Calls
  composer: Composer
  history: History
  wantsHistory(): Promise<boolean>
  owns: SessionDoor['owns']
  config: Pick<SocketConfig, 'waWebSocketUrl' | 'logger'> & Partial<Pick<SocketConfig, 'version'>>
  /** How often each message was asked for again; it outlives the socket. */
  retryCounts: CacheStore
  /** What went out under an id, for those who could not read it; undefined when it is not ours. */
  sent(externalId: string): Promise<proto.IMessage | null | undefined>
  tell(heard: Heard | null, rowIds?: string[], then?: () => Promise<void>): void
  typing: SessionDoor['typing']
  changed(state: Partial<ConnectionState>): void
  broken(error: unknown): void
}

/** Opens a socket with the stored credentials, or with new ones to be paired. */
export async function openWire(options: WireOptions): Promise<Wire> {
  const { rows, journal, config, composer, retryCounts, sent, tell } = options
  let sock: WASocket | undefined
  let groups: Groups | undefined
  const wanted = await options.wantsHistory()
  const auth = await loadAuth(rows, {
    logger: config.logger,
    onBroken(error) {
      options.broken(error)
      // At once, before Baileys tells the server that it could not read the message.
      void sock?.end(new Error('a key could not be stored'))
    },
  })
  const fence = createFence(journal, auth.creds)
  sock = makeWASocket({
    ...config,
    auth,
    makeSignalRepository: fence.makeSignalRepository,
    msgRetryCounterCache: retryCounts,
    markOnlineOnConnect: false,
    syncFullHistory: wanted,
    // Wanted, it is fetched by history.ts; unwanted, Baileys still learns names and numbers from it.
    ...(wanted && { shouldSyncHistoryMessage: () => false, browser: Browsers.macOS('Desktop') }),
    emitOwnEvents: false,
    getMessage: async ({ id }) => (await sent(id ?? '')) ?? undefined,
    cachedGroupMetadata: async jid => groups?.metadata(jid),
    // What could not be committed is taken back by ending the socket, not by trying for half a minute.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    shouldIgnoreJid: jid => isJidStatusBroadcast(jid) || isJidNewsletter(jid),
  })
  guard(sock, options.owns, options.broken)
  groups = createGroups(sock)
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>()
  const wire: Wire = {
    sock,
    auth,
    closed,
    isRetired: false,
    takePast: (message, rowIds) => wanted && options.history.take(wire.sock, message, rowIds),
    sender: createSender(sock, { rows, composer, sent, tell }),
    groups,
    downloads: createDownloads(sock),
    presence: createPresence(sock, { rows, typing: options.typing }),
    async retire() {
      wire.isRetired = true
      fence.raise()
      quiet(wire)
      await drain(wire.sock)
      await auth.save()
      auth.seal()
    },
  }
  const pictures = createPictures(sock, rows, tell)
  listen(wire, pictures, { raiseFence: fence.raise, markClosed }, options)
  return wire
}

/** Nothing more leaves through a socket that has closed. */
function quiet({ sender, presence }: Wire): void {
  sender.broken()
  presence.stop()
}

interface Ending {
  raiseFence(): void
  markClosed(): void
}

function listen(
  wire: Wire,
  pictures: Pictures,
  { raiseFence, markClosed }: Ending,
  options: WireOptions,
): void {
  const { journal, tell, changed } = options
  const { sock, auth } = wire
  const { ev, ws } = sock
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array) return
    if (frame.tag === 'message') journal.watch(frame)
    if (frame.tag === 'call') followCall(wire, frame, options)
  })
  inOrderOfArrival(ws)
  ev.on('creds.update', () => {
    auth.changed()
    // A failure ends the socket, by onBroken.
    auth.save().catch(() => {})
  })
  ev.on('connection.update', state => {
    if (state.connection === 'close') {
      // Whatever stands in the buffer is lost with the socket after this event.
      ev.flush()
      raiseFence()
      quiet(wire)
      pictures.stop()
      markClosed()
    }
    changed(state)
  })
  ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) {
      // Without content it could not be decrypted (yet): its turn comes when it arrives again.
      const rowIds = message.message ? journal.take(message.key) : []
      if (wire.takePast(message, rowIds)) continue
      if (message.message || isWithheld(message)) {
        const heard = heardIn(message)
        tell(heard, rowIds.length > 0 ? rowIds : journal.take(message.key))
        if (heard?.kind === 'message' && !heard.fromMe) pictures.noticed(heard.chat)
      }
      for (const receipt of receiptOn(message)) tell(receipt)
    }
  })
  const each = <T extends keyof BaileysEventMap>(event: T, read: (news: BaileysEventMap[T]) => Heard[]) =>
    ev.on(event, news => {
      for (const heard of read(news)) tell(heard)
    })
  ev.on('contacts.update', contacts => pictures.changed(contacts))
  each('messages.update', receiptsOf)
  each('message-receipt.update', groupReceiptsOf)
  each('lid-mapping.update', ({ lid, pn }) => [identityOf(lid, pn)].filter(heard => heard !== null))
}

/** Tried again for a while: Baileys confirms a call whatever becomes of it here. */
function followCall({ auth }: Wire, stanza: BinaryNode, { calls, tell }: WireOptions): void {
  const { me } = auth.creds
  const isOwn = (jid: string) => areJidsSameUser(jid, me?.id) || areJidsSameUser(jid, me?.lid)
  let tries = 0
  const follow = async () => {
    const missed = await calls.follow(stanza, isOwn)
    if (missed) tell(missed.message, [], missed.forget)
  }
  void insist(follow, error => !(error instanceof LeaseLost) && ++tries < CALL_TRIES)
}

type Stanzas = WASocket['ws']
type Handler = (stanza: BinaryNode) => Promise<void>

/**
 * Baileys begins with the next message before it is done with the last one, and puts what was missed in a queue of
 * its own: both let messages of one chat overtake each other. Here they stand in one queue.
 */
function inOrderOfArrival(stanzas: Stanzas): void {
  const handlers = stanzas.listeners('CB:message') as Handler[]
  stanzas.removeAllListeners('CB:message')
  let turn = Promise.resolve()
  stanzas.on('CB:message', (stanza: BinaryNode) => {
    delete stanza.attrs.offline
    const next = async () => {
      if (stanzas.isOpen) for (const handle of handlers) await handle(stanza)
      // With the embedded database a backlog would otherwise be worked off without one look at anything else.
      await setImmediate()
    }
    turn = turn.then(next).catch(() => {})
  })
}
