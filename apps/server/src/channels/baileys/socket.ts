import { setImmediate } from 'node:timers/promises'
import {
  type BaileysEventMap,
  type BinaryNode,
  type CacheStore,
  type ConnectionState,
  isJidNewsletter,
  isJidStatusBroadcast,
  makeWASocket,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import type { Heard, KeyRows } from '../driver.ts'
import { type Auth, loadAuth } from './auth-state.ts'
import { createFence, drain } from './fence.ts'
import { createGroups, type Groups } from './groups.ts'
import type { Journal } from './journal.ts'
import { createSender, type Sender } from './send.ts'
import { groupReceiptsOf, identityOf, messageOf, receiptOn, receiptsOf } from './translate.ts'

/** One attempt at being connected; when it has closed, another one is made. */
export interface Wire {
  sock: WASocket
  auth: Auth
  sender: Sender
  groups: Groups
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
  config: Pick<SocketConfig, 'waWebSocketUrl' | 'logger' | 'getMessage'> &
    Partial<Pick<SocketConfig, 'version'>>
  /** How often each message was asked for again; it outlives the socket. */
  retryCounts: CacheStore
  tell(heard: Heard | null, rowIds?: string[]): void
  changed(state: Partial<ConnectionState>): void
  broken(error: unknown): void
}

/** Opens a socket with the stored credentials, or with new ones to be paired. */
export async function openWire(options: WireOptions): Promise<Wire> {
  const { rows, journal, config, retryCounts, tell } = options
  let sock: WASocket | undefined
  let groups: Groups | undefined
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
    syncFullHistory: false,
    emitOwnEvents: false,
    cachedGroupMetadata: async jid => groups?.metadata(jid),
    // What could not be committed is taken back by ending the socket, not by trying for half a minute.
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
    shouldIgnoreJid: jid => isJidStatusBroadcast(jid) || isJidNewsletter(jid),
  })
  groups = createGroups(sock)
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>()
  const wire: Wire = {
    sock,
    auth,
    closed,
    sender: createSender(sock, { rows, tell }),
    groups,
    async retire() {
      fence.raise()
      wire.sender.broken()
      await drain(wire.sock)
      await auth.save()
      auth.seal()
    },
  }
  listen(wire, { raiseFence: fence.raise, markClosed }, options)
  return wire
}

interface Ending {
  raiseFence(): void
  markClosed(): void
}

function listen(
  { sock, auth, sender }: Wire,
  { raiseFence, markClosed }: Ending,
  options: WireOptions,
): void {
  const { journal, tell, changed } = options
  const { ev, ws } = sock
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (!(frame instanceof Uint8Array) && frame.tag === 'message') journal.watch(frame)
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
      sender.broken()
      markClosed()
    }
    changed(state)
  })
  ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) {
      // Without content it could not be decrypted (yet): its turn comes when it arrives again.
      if (message.message) tell(messageOf(message), journal.take(message.key))
      for (const receipt of receiptOn(message)) tell(receipt)
    }
  })
  const each = <T extends keyof BaileysEventMap>(event: T, read: (news: BaileysEventMap[T]) => Heard[]) =>
    ev.on(event, news => {
      for (const heard of read(news)) tell(heard)
    })
  each('messages.update', receiptsOf)
  each('message-receipt.update', groupReceiptsOf)
  each('lid-mapping.update', ({ lid, pn }) => [identityOf(lid, pn)].filter(heard => heard !== null))
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
