import {
  areJidsSameUser,
  type BinaryNode,
  Browsers,
  type CacheStore,
  type ConnectionState,
  makeWASocket,
  type proto,
  type SignalKeyStore,
  type SocketConfig,
  type WAMessage,
  type WASocket,
} from 'baileys'
import { type InboundEvent, type KeyRows, LeaseLost, type SessionHost } from '../../../driver.ts'
import { isStatusOrNewsletter } from '../inbound/addresses.ts'
import { inOrderOfArrival } from '../inbound/arrivals.ts'
import type { Calls } from '../inbound/calls.ts'
import { createGroups, type Groups } from '../inbound/groups.ts'
import type { History } from '../inbound/history.ts'
import { Pictures } from '../inbound/profile-pictures.ts'
import type { Reader } from '../inbound/reading.ts'
import { identityOf, isChatEvent, isWithheld } from '../inbound/translate.ts'
import { type Auth, loadAuth } from '../keys/auth-state.ts'
import type { Journal } from '../keys/journal.ts'
import { createFence, type DecryptionGate, drain } from '../library/fence.ts'
import { guard } from '../library/guard.ts'
import { createRatchet } from '../library/ratchet.ts'
import { createDownloads, type Downloads } from '../media/download.ts'
import type { Composer } from '../outbound/compose.ts'
import { Sender } from '../outbound/send.ts'
import { followLists } from './phone-lists.ts'
import { createPresence, type Presence } from './presence.ts'
import type { Restriction } from './restriction.ts'
import { insist } from './time-limit.ts'

const CALL_TRIES = 10

/** One attempt at being connected; when it has closed, another one is made. */
export interface Wire {
  sock: WASocket
  auth: Auth
  sender: Sender
  groups: Groups
  downloads: Downloads
  presence: Presence
  /** It was opened to receive the phone's past. */
  wantsPast: boolean
  /** Claims a part of the past that an earlier socket received; false for anything else, or when it is not wanted. */
  claimPast(message: WAMessage, rowIds: string[]): boolean
  /** Its keys are withdrawn: another one follows. */
  isRetired: boolean
  /** Asks the phone for the contents that are not here, until the socket closes. */
  followPlaceholders(): void
  /** Resolves when the socket has closed and its last event is emitted. */
  closed: Promise<void>
  /**
   * Lets it finish, stores its credentials and withdraws its keys; only then may another one open.
   * Rejects while the credentials cannot be stored.
   */
  retire(): Promise<void>
}

export interface WireOptions {
  rows: KeyRows
  journal: Journal
  reader: Reader
  calls: Calls
  composer: Composer
  history: History
  restriction: Restriction
  wantsHistory(): Promise<boolean>
  owns: SessionHost['owns']
  config: Pick<SocketConfig, 'waWebSocketUrl' | 'logger'> & Partial<Pick<SocketConfig, 'version'>>
  /** How often each message was requested again; it outlives the socket. */
  retryCounts: CacheStore
  /** What was sent under an id, for recipients who could not read it; undefined when it is not ours. */
  sent(externalId: string): Promise<proto.IMessage | null | undefined>
  /** Adds an event to the intake. */
  add(event: InboundEvent | null, rowIds?: string[], then?: () => Promise<void>): void
  /** Adds what a message means; answers its event, as far as the message itself has it. */
  addMessage(message: WAMessage, rowIds: string[]): InboundEvent | null
  keepBook: SessionHost['keepBook']
  typing: SessionHost['typing']
  changed(state: Partial<ConnectionState>): void
  broken(error: unknown): void
}

/** Opens a socket with the stored credentials, or with new ones to be paired. */
export async function openWire(options: WireOptions): Promise<Wire> {
  const { rows, journal, config, composer, sent, add } = options
  let sock: WASocket | undefined
  const wantsPast = await options.wantsHistory()
  const auth = await loadAuth(rows, {
    logger: config.logger,
    onBroken(error) {
      options.broken(error)
      // At once, before Baileys reports to the server that it could not read the message.
      void sock?.end(new Error('a key could not be stored'))
    },
  })
  const ratchet = createRatchet(auth.keys, auth.creds)
  const fence = createFence(journal, ratchet, auth.creds)
  const made = makeSocket(options, auth, { keys: ratchet.keys, fence, wantsPast })
  sock = made.sock
  guard(sock, { owns: options.owns, lost: options.broken, settle: ratchet.settle })
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>()
  const wire: Wire = {
    ...made,
    ...{ auth, closed, wantsPast, isRetired: false },
    followPlaceholders: () => void closed.then(options.reader.placeholders.follow(made.sock)),
    claimPast: (message, rowIds) => wantsPast && options.history.claim(wire.sock, message, rowIds),
    sender: new Sender(sock, { rows, composer, restriction: options.restriction, sent, add }),
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
  listen(wire, new Pictures(sock, rows, add), { raiseFence: fence.raise, markClosed }, options)
  return wire
}

interface Inside {
  keys: SignalKeyStore
  fence: DecryptionGate
  wantsPast: boolean
}

function makeSocket({ config, retryCounts, sent }: WireOptions, { creds }: Auth, inside: Inside) {
  let groups: Groups | undefined
  const { keys, fence, wantsPast } = inside
  const sock = makeWASocket({
    ...config,
    auth: { creds, keys },
    makeSignalRepository: fence.makeSignalRepository,
    msgRetryCounterCache: retryCounts,
    markOnlineOnConnect: false,
    syncFullHistory: wantsPast,
    // Wanted, it is fetched by history.ts; unwanted, Baileys still learns names and numbers from it.
    ...(wantsPast && { shouldSyncHistoryMessage: () => false, browser: Browsers.macOS('Desktop') }),
    emitOwnEvents: false,
    getMessage: async ({ id }) => (await sent(id ?? '')) ?? undefined,
    cachedGroupMetadata: async jid => groups?.metadata(jid),
    // What could not be committed is undone by ending the socket, not by trying for half a minute.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    shouldIgnoreJid: isStatusOrNewsletter,
  })
  groups = createGroups(sock)
  return { sock, groups }
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
  const { journal, reader, add, addMessage, changed } = options
  const { sock, auth } = wire
  const { ev, ws } = sock
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array) return
    if (frame.tag === 'message') journal.watch(frame)
    if (frame.tag === 'call') followCall(wire, frame, options)
  })
  const isOwn = ownOf(auth)
  const broken = (error: unknown) => {
    options.broken(error)
    void sock.end(new Error('a message could not be written down'))
  }
  const { placeholders, notices } = reader
  inOrderOfArrival(ws, { journal, placeholders, notices, isOwn, add, broken })
  ev.on('creds.update', () => {
    auth.changed()
    // A failure ends the socket, by onBroken.
    auth.save().catch(() => {})
  })
  ev.on('connection.update', state => {
    if (state.connection === 'close') {
      // The events in the buffer are lost with the socket after this event.
      ev.flush()
      raiseFence()
      quiet(wire)
      pictures.stop()
      markClosed()
    }
    changed(state)
    if (state.connection === 'open') for (const one of notices.left()) ws.emit('CB:notification', one)
  })
  ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) {
      // Without content it could not be decrypted (yet), and arrives again.
      const rowIds = message.message ? journal.claim(message.key) : []
      if (wire.claimPast(message, rowIds)) continue
      // What the phone resent is read from its answer, which is in the journal.
      if (message.message && rowIds.length === 0 && placeholders.awaits(message.key.id ?? '')) continue
      // A socket that ends decrypts nothing more: the server delivers it to the next one.
      const isPlaceholder = placeholders.isOne(message) && !wire.isRetired && ws.isOpen
      if (message.message || isWithheld(message) || isChatEvent(message) || isPlaceholder) {
        const isClaimed = rowIds.length > 0 || isPlaceholder
        const event = addMessage(message, isClaimed ? rowIds : journal.claim(message.key))
        if (event?.kind === 'message' && !event.fromMe) pictures.noticed(event.chat)
      } else notices.recorded(message.key.id).catch(() => {})
    }
  })
  followLists(ev, { ...options, log: options.config.logger, isOver: () => wire.isRetired })
  ev.on('contacts.update', contacts => pictures.changed(contacts))
  ev.on('lid-mapping.update', ({ lid, pn }) => {
    const event = identityOf(lid, pn)
    if (event) add(event)
  })
}

/** Retried for a while: Baileys confirms a call even when it fails here. */
function followCall({ auth }: Wire, stanza: BinaryNode, { calls, add }: WireOptions): void {
  const isOwn = ownOf(auth)
  let tries = 0
  const follow = async () => {
    const missed = await calls.follow(stanza, isOwn)
    if (missed) add(missed.message, [], missed.forget)
  }
  void insist(follow, error => !(error instanceof LeaseLost) && ++tries < CALL_TRIES)
}

const ownOf =
  ({ creds }: Auth) =>
  (jid: string): boolean =>
    areJidsSameUser(jid, creds.me?.id) || areJidsSameUser(jid, creds.me?.lid)
