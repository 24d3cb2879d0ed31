import type { Readable } from 'node:stream'
import type { Typing } from '@balcao/contract/messages.ts'
import { type ConnectionState, jidDecode } from 'baileys'
import type { Logger } from 'pino'
import {
  type ChannelSession,
  type Chat,
  type CheckLease,
  type FallNote,
  LeaseLost,
  type Operation,
  type Outcome,
  type Outgoing,
  type SessionHost,
  type Target,
} from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { keysOf, knownNumber } from '../inbound/addresses.ts'
import { type Calls, createCalls } from '../inbound/calls.ts'
import { createHistory, type History } from '../inbound/history.ts'
import { Intake } from '../inbound/intake.ts'
import type { Reader } from '../inbound/reading.ts'
import { boundedCache } from '../keys/cache.ts'
import type { Journal } from '../keys/journal.ts'
import { quietLibsignal } from '../library/console.ts'
import { keepUnreadFields } from '../library/unread-fields.ts'
import { type Composer, createComposer } from '../outbound/compose.ts'
import { createAlarm } from './alarm.ts'
import { GOODBYE_MS, sayGoodbye } from './goodbye.ts'
import { baileysLog } from './log.ts'
import { offerOf } from './pairing.ts'
import {
  afterClose,
  type Closed,
  closedBy,
  codeOf,
  HELD_MS,
  type Next,
  RESTART,
  STALE_VERSION,
} from './reconnect.ts'
import { createRestriction, type Restriction } from './restriction.ts'
import type { SessionSettings } from './settings.ts'
import { openWire, type Wire, type WireOptions } from './socket.ts'
import { createStatus, type Status } from './status.ts'
import { insist, withinMs } from './time-limit.ts'
import type { Turnstile } from './turnstile.ts'
import type { Version } from './version.ts'

const AGAIN_MS = 1_000

quietLibsignal()
keepUnreadFields()

/** One connection: it opens sockets one after the other, and ends with `close`, or by itself. */
export class BaileysSession implements ChannelSession {
  readonly #host: SessionHost
  readonly #settings: SessionSettings
  readonly #turnstile: Turnstile
  readonly #journal: Journal
  readonly #reader: Reader
  readonly #intake: Intake
  readonly #status: Status
  readonly #version: Version
  readonly #log: Logger
  readonly #calls: Calls
  readonly #history: History
  readonly #composer: Composer
  readonly #restriction: Restriction
  readonly #baileysLog: WireOptions['config']['logger']
  readonly #retryCounts = boundedCache(1_000)
  #wire: Wire | null = null
  /** Lets the next session open: this one is connected, shows a code or has failed. */
  #isThrough: () => void = () => {}
  readonly #again = createAlarm()
  /** Logged in at present, and since when. */
  #openSince = 0
  #failures = 0
  /** A pairing code is shown. */
  #hasOffered = false
  #isOver = false

  constructor(
    host: SessionHost,
    settings: SessionSettings,
    turnstile: Turnstile,
    { journal, reader, version }: { journal: Journal; reader: Reader; version: Version },
  ) {
    const lost = () => this.#lost()
    this.#host = host
    this.#settings = settings
    this.#turnstile = turnstile
    this.#journal = journal
    this.#reader = reader
    this.#log = settings.log.child({ companyId: host.companyId, whatsappId: host.whatsappId })
    this.#baileysLog = baileysLog(this.#log)
    this.#calls = createCalls(host.keys)
    this.#history = createHistory({
      host,
      unreadKinds: reader.unreadKinds,
      journal,
      log: this.#log,
      quietMs: settings.historyQuietMs,
      onLost: lost,
    })
    this.#composer = createComposer(this.#baileysLog, host)
    this.#version = version
    this.#intake = new Intake({
      host,
      journal,
      reader,
      log: this.#log,
      past: {
        waits: message => this.#history.isPart(message) && (this.#wire?.isRetired ?? true),
        claim: (message, rowIds) => this.#wire?.claimPast(message, rowIds) ?? false,
      },
      facts: {
        groups: () => this.#wire?.groups,
        orderDetails: () => this.#wire?.sock.getOrderDetails,
      },
      onLost: lost,
    })
    this.#status = createStatus(host, lost)
    this.#restriction = createRestriction(host, { log: this.#log, onLost: lost })
  }

  /** Connects now, or at the end of a rest that began in an earlier process. */
  start(restsUntil: string | null): void {
    const restMs = restsUntil === null ? 0 : Date.parse(restsUntil) - databaseNow()
    if (restMs > 0) this.#again.set(restMs, () => this.start(null))
    else {
      this.#status.opening()
      void this.#connect()
    }
  }

  ready(): boolean {
    return this.#openSince > 0
  }

  async send(message: Outgoing, checkLease: CheckLease): Promise<Outcome> {
    return this.#wire?.sender.send(message, checkLease) ?? { is: 'unknown', reason: 'offline' }
  }

  async act(operation: Operation, checkLease: CheckLease): Promise<Outcome> {
    return this.#wire?.sender.act(operation, checkLease) ?? { is: 'unknown', reason: 'offline' }
  }

  async download(source: string): Promise<Readable> {
    if (!this.#wire) throw new Error('the connection is closed')
    return this.#wire.downloads.open(source)
  }

  async markRead(chat: Chat, read: Target[]): Promise<void> {
    await this.#wire?.sock.readMessages(await keysOf(this.#host.keys, chat, read))
    await this.#wire?.presence.attend(chat)
  }

  async find(number: string): Promise<string | null> {
    if (!this.#wire) throw new Error('the connection is closed')
    return knownNumber(this.#wire.sock, number)
  }

  async type(chat: Chat, state: Typing): Promise<void> {
    if (this.ready()) await this.#wire?.presence.type(chat, state)
  }

  async close({ logout }: { logout: boolean }): Promise<void> {
    const wire = this.#wire
    const isOpen = this.ready()
    this.#end()
    if (wire) await sayGoodbye(wire, { logout: logout && isOpen })
    await withinMs(GOODBYE_MS, Promise.all([this.#intake.settled(), this.#status.settled()]))
    this.#intake.stop()
    this.#status.stop()
  }

  async #connect(): Promise<void> {
    const isThrough = await this.#turnstile()
    if (this.#isOver) return isThrough()
    this.#isThrough = isThrough
    try {
      const wire = await openWire(this.#wireOptions())
      if (this.#isOver) return void wire.sock.end(undefined)
      this.#wire = wire
      this.#intake.addLeftovers(wire.auth.creds)
      const left = this.#calls.leftovers().catch(() => [])
      void left.then(all => all.map(({ message, forget }) => this.#intake.add(message, [], forget)))
    } catch (error) {
      isThrough()
      if (error instanceof LeaseLost) return this.#lost()
      this.#log.warn({ err: error }, 'the connection could not be opened')
      if (!this.#isOver) this.#again.set(AGAIN_MS, () => void this.#connect())
    }
  }

  #wireOptions(): WireOptions {
    const version = this.#version.current()
    return {
      rows: this.#host.keys,
      journal: this.#journal,
      reader: this.#reader,
      calls: this.#calls,
      composer: this.#composer,
      history: this.#history,
      restriction: this.#restriction,
      wantsHistory: async () => (await this.#host.history()) !== null,
      owns: () => this.#host.owns(),
      retryCounts: this.#retryCounts,
      config: {
        waWebSocketUrl: this.#settings.webUrl,
        logger: this.#baileysLog,
        ...(version && { version }),
      },
      sent: async id => this.#wire && this.#composer.again(this.#wire.sock, id),
      add: (event, rowIds, then) => this.#intake.add(event, rowIds, then),
      addMessage: (message, rowIds) => this.#intake.addMessage(message, rowIds),
      keepBook: entries => this.#host.keepBook(entries),
      typing: (chat, state) => this.#host.typing(chat, state),
      changed: state => this.#changed(state),
      broken: error => this.#broken(error),
    }
  }

  #changed({ qr, isNewLogin, connection, ...state }: Partial<ConnectionState>): void {
    if (qr || connection === 'open' || connection === 'close') this.#isThrough()
    if (this.#isOver) return
    if (state.reachoutTimeLock) void this.#restriction.learn(state.reachoutTimeLock)
    if (qr) void this.#pair(qr)
    if (isNewLogin) this.#hasOffered = false
    if (isNewLogin) this.#status.pairing()
    if (connection === 'open') this.#opened()
    if (connection === 'close') void this.#closed(closedBy(state.lastDisconnect?.error))
  }

  async #pair(qrcode: string): Promise<void> {
    this.#hasOffered = true
    const code = await offerOf(this.#wire!, qrcode, this.#host.pairNumber)
    if (code) this.#status.offered(code)
  }

  #opened(): void {
    this.#openSince = performance.now()
    if (this.#wire!.wantsPast) this.#history.opened()
    this.#wire!.followPlaceholders()
    // A version that could not be kept is proved again by the next connection.
    this.#version.proved().catch(() => {})
    const number = jidDecode(this.#wire!.auth.creds.me?.id)?.user ?? ''
    this.#status.connected(number)
    this.#restriction.ask(this.#wire!.sock).catch(() => {})
  }

  async #closed(how: Pick<Closed, 'code' | 'refusal'>): Promise<void> {
    const wire = this.#wire!
    const offered = this.#hasOffered
    this.#hasOffered = false
    if (this.#openSince > 0 && performance.now() - this.#openSince >= HELD_MS) this.#failures = 0
    this.#openSince = 0
    await this.#insist(() => wire.retire())
    if (this.#isOver) return
    this.#intake.addLeftovers(wire.auth.creds)
    const next = afterClose({ ...how, offered, failures: this.#failures }, this.#settings.pace)
    const fall = { reason: next.reason, code: codeOf(how) }
    this.#log.info({ ...how, ...next }, 'the connection has closed')
    if (next.is !== 'over') return this.#comeBack(how.code, next, fall)
    await this.#intake.settled()
    if (next.forget) await this.#insist(() => this.#host.keys.clear())
    this.#end()
    this.#status.closed(next.status, fall)
  }

  async #comeBack(code: number | undefined, next: Exclude<Next, { is: 'over' }>, fall: FallNote) {
    const afterMs = next.is === 'rests' ? next.forMs : next.afterMs
    if (next.is === 'rests') this.#status.rests(new Date(databaseNow() + afterMs).toISOString(), fall)
    else if (code !== RESTART) this.#status.openingAgain(this.#failures + 1, fall)
    if (code !== RESTART) this.#failures++
    if (code === STALE_VERSION) await this.#version.renew()
    if (!this.#isOver)
      this.#again.set(afterMs, () => (next.is === 'rests' ? this.start(null) : this.#connect()))
  }

  /** Repeated until it succeeds: the next socket must not begin without what this one stored. */
  #insist(work: () => Promise<void>): Promise<void> {
    return insist(work, error => {
      if (error instanceof LeaseLost) this.#lost()
      else this.#log.warn({ err: error }, 'keys could not be stored yet')
      return !this.#isOver
    })
  }

  #broken(error: unknown): void {
    if (error instanceof LeaseLost) this.#lost()
    else this.#log.warn({ err: error }, 'a key could not be stored: the connection starts again')
  }

  /** Another process runs this connection now: this one sends and writes nothing more. */
  #lost(): void {
    const wire = this.#wire
    this.#end()
    this.#intake.stop()
    this.#status.stop()
    wire?.auth.seal()
    void wire?.sock.end(undefined)
  }

  #end(): void {
    this.#history.stop()
    this.#isOver = true
    this.#openSince = 0
    this.#wire = null
    this.#isThrough()
    this.#again.stop()
  }
}
