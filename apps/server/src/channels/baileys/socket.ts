import {
  areJidsSameUser,
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
import { type Heard, type KeyRows, LeaseLost, type SessionHost } from '../../driver.ts'
import { inOrderOfArrival } from './arrivals.ts'
import { type Auth, loadAuth } from './auth-state.ts'
import type { Calls } from './calls.ts'
import type { Composer } from './compose.ts'
import { createDownloads, type Downloads } from './download.ts'
import { createGroups, type Groups } from './groups.ts'
import type { History } from './history.ts'
import { createFence, drain } from './inside/fence.ts'
import { guard } from './inside/guard.ts'
import { createRatchet } from './inside/ratchet.ts'
import type { Journal } from './journal.ts'
import { insist } from './patience.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createPresence, type Presence } from './presence.ts'
import { createSender, type Sender } from './send.ts'
import { heardIn, identityOf, isWithheld } from './translate.ts'

const CALL_TRIES = 10

/** One attempt at being connected; when it has closed, another one is made. */
export interface Wire {
  sock: WASocket
  auth: Auth
  sender: Sender
  groups: Groups
  downloads: Downloads
  presence: Presence
  /** It was opened to be handed the phone's past. */
  wantsPast: boolean
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
  owns: SessionHost['owns']
  config: Pick<SocketConfig, 'waWebSocketUrl' | 'logger'> & Partial<Pick<SocketConfig, 'version'>>
  /** How often each message was asked for again; it outlives the socket. */
  retryCounts: CacheStore
  /** What went out under an id, for those who could not read it; undefined when it is not ours. */
  sent(externalId: string): Promise<proto.IMessage | null | undefined>
  tell(heard: Heard | null, rowIds?: string[], then?: () => Promise<void>): void
  typing: SessionHost['typing']
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
  const ratchet = createRatchet(auth.keys, auth.creds)
  const fence = createFence(journal, ratchet, auth.creds)
  sock = makeWASocket({
    ...config,
    auth: { creds: auth.creds, keys: ratchet.keys },
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
  guard(sock, { owns: options.owns, lost: options.broken, settle: ratchet.settle })
  groups = createGroups(sock)
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>()
  const wire: Wire = {
    sock,
    auth,
    closed,
    isRetired: false,
    wantsPast: wanted,
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
  inOrderOfArrival(ws, { journal, tell })
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
    }
  })
  ev.on('contacts.update', contacts => pictures.changed(contacts))
  ev.on('lid-mapping.update', ({ lid, pn }) => {
    const heard = identityOf(lid, pn)
    if (heard) tell(heard)
  })
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
