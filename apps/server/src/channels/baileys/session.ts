import { type ConnectionState, jidDecode, type WAVersion } from 'baileys'
import type { Logger } from 'pino'
import {
  type Chat,
  LeaseLost,
  type Outcome,
  type Outgoing,
  type Session,
  type SessionDoor,
} from '../driver.ts'
import { localAddress } from './addresses.ts'
import { boundedCache } from './cache.ts'
import { quietLibsignal } from './console.ts'
import { type Journal, openJournal } from './journal.ts'
import { baileysLog } from './log.ts'
import { createNews, type News } from './news.ts'
import { offerOf } from './pairing.ts'
import { insist, withinMs } from './patience.ts'
import { afterClose, HELD_MS, type Pace, RESTART, STALE_VERSION } from './reconnect.ts'
import { protoOf } from './send.ts'
import { openWire, type Wire, type WireOptions } from './socket.ts'
import { createStatus, type Status } from './status.ts'
import { createVersion, type Version } from './version.ts'

export interface SessionSettings {
  webUrl: string
  /** Null: the version that Baileys brings, renewed when the server refuses it. */
  version: WAVersion | null
  log: Logger
  pace?: Pace
}

/** How long each step of a goodbye may take. */
const GOODBYE_MS = 5_000
const AGAIN_MS = 1_000

quietLibsignal()

/** Opens a session: it connects, or begins to pair, by itself and comes back whenever the network breaks. */
export async function openSession(door: SessionDoor, settings: SessionSettings): Promise<Session> {
  const session = new BaileysSession(door, settings, await openJournal(door.keys))
  session.start()
  return session
}

class BaileysSession implements Session {
  readonly #door: SessionDoor
  readonly #settings: SessionSettings
  readonly #journal: Journal
  readonly #news: News
  readonly #status: Status
  readonly #version: Version
  readonly #log: Logger
  readonly #retryCounts = boundedCache(1_000)
  #wire: Wire | null = null
  #again: NodeJS.Timeout | undefined
  /** Logged in at present, and since when. */
  #openSince = 0
  #failures = 0
  /** A code to pair with is on show. */
  #hasOffered = false
  #isOver = false

  constructor(door: SessionDoor, settings: SessionSettings, journal: Journal) {
    const lost = () => this.#lost()
    this.#door = door
    this.#settings = settings
    this.#journal = journal
    this.#log = settings.log.child({ companyId: door.companyId, whatsappId: door.whatsappId })
    this.#version = createVersion(settings.version, settings.webUrl, this.#log)
    this.#news = createNews({
      door,
      journal,
      log: this.#log,
      subject: async id => (await this.#wire?.groups.subject(id)) ?? '',
      onLost: lost,
    })
    this.#status = createStatus(door, lost)
  }

  start(): void {
    this.#status.say({ status: 'OPENING', statusReason: '', qrcode: '', pairingCode: '', retries: 0 })
    void this.#connect()
  }

  ready(): boolean {
    return this.#openSince > 0
  }

  async send(message: Outgoing): Promise<Outcome> {
    return this.#wire?.sender.send(message) ?? { is: 'unknown', reason: 'offline' }
  }

  async markRead(chat: Chat, externalIds: string[]): Promise<void> {
    const { jid: remoteJid } = await localAddress(this.#door.keys, chat)
    await this.#wire?.sock.readMessages(externalIds.map(id => ({ remoteJid, id, fromMe: false })))
  }

  async close({ logout }: { logout: boolean }): Promise<void> {
    const wire = this.#wire
    const isOpen = this.ready()
    this.#end()
    if (wire) {
      const goodbye = logout && isOpen ? wire.sock.logout() : wire.sock.end(undefined)
      await withinMs(GOODBYE_MS, Promise.all([goodbye, wire.closed]))
      await withinMs(GOODBYE_MS, wire.retire())
      wire.auth.seal()
    }
    await withinMs(GOODBYE_MS, Promise.all([this.#news.told(), this.#status.said()]))
    this.#news.stop()
    this.#status.stop()
  }

  async #connect(): Promise<void> {
    try {
      const wire = await openWire(this.#wireOptions())
      if (this.#isOver) return void wire.sock.end(undefined)
      this.#wire = wire
      this.#news.tellLeftovers(wire.auth.creds)
    } catch (error) {
      if (error instanceof LeaseLost) return this.#lost()
      this.#log.warn({ err: error }, 'the connection could not be opened')
      if (!this.#isOver) this.#again = setTimeout(() => void this.#connect(), AGAIN_MS)
    }
  }

  #wireOptions(): WireOptions {
    const version = this.#version.current()
    return {
      rows: this.#door.keys,
      journal: this.#journal,
      retryCounts: this.#retryCounts,
      config: {
        waWebSocketUrl: this.#settings.webUrl,
        logger: baileysLog(this.#log),
        getMessage: async ({ id }) => protoOf(await this.#door.sent(id ?? '')),
        ...(version && { version }),
      },
      tell: (heard, rowIds) => this.#news.tell(heard, rowIds),
      changed: state => this.#changed(state),
      broken: error => this.#broken(error),
    }
  }

  #changed({ qr, isNewLogin, connection, lastDisconnect }: Partial<ConnectionState>): void {
    if (this.#isOver) return
    if (qr) void this.#pair(qr)
    if (isNewLogin) this.#hasOffered = false
    if (isNewLogin) this.#status.say({ status: 'PAIRING', qrcode: '', pairingCode: '' })
    if (connection === 'open') this.#opened()
    if (connection === 'close') void this.#closed(lastDisconnect?.error)
  }

  async #pair(qrcode: string): Promise<void> {
    this.#hasOffered = true
    const code = await offerOf(this.#wire!, qrcode, this.#door.pairNumber)
    if (code) this.#status.say({ status: 'qrcode', ...code })
  }

  #opened(): void {
    this.#openSince = Date.now()
    const number = jidDecode(this.#wire!.auth.creds.me?.id)?.user ?? ''
    this.#status.say({
      status: 'CONNECTED',
      statusReason: '',
      qrcode: '',
      pairingCode: '',
      number,
      retries: 0,
    })
  }

  async #closed(error: (Error & { output?: { statusCode: number } }) | undefined): Promise<void> {
    const wire = this.#wire!
    const code = error?.output?.statusCode
    const offered = this.#hasOffered
    this.#hasOffered = false
    if (this.#openSince > 0 && Date.now() - this.#openSince >= HELD_MS) this.#failures = 0
    this.#openSince = 0
    await this.#insist(() => wire.retire())
    if (this.#isOver) return
    this.#news.tellLeftovers(wire.auth.creds)
    const next = afterClose({ code, offered, failures: this.#failures }, this.#settings.pace)
    this.#log.info({ code, ...next }, 'the connection has closed')
    if (next.is === 'again') return this.#comeBack(code, next.afterMs)
    await this.#news.told()
    if (next.forget) await this.#insist(() => this.#door.keys.clear())
    this.#end()
    const { status, reason: statusReason } = next
    this.#status.say({ status, statusReason, qrcode: '', pairingCode: '', retries: 0 })
  }

  async #comeBack(code: number | undefined, afterMs: number): Promise<void> {
    if (code !== RESTART) {
      this.#failures++
      this.#status.say({ status: 'OPENING', qrcode: '', pairingCode: '', retries: this.#failures })
    }
    if (code === STALE_VERSION) await this.#version.renew()
    if (!this.#isOver) this.#again = setTimeout(() => void this.#connect(), afterMs)
  }

  /** It must work, or the next socket would begin with what the last one does not know. */
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

  /** Another process runs this connection now: not one word more from here. */
  #lost(): void {
    const wire = this.#wire
    this.#end()
    this.#news.stop()
    this.#status.stop()
    wire?.auth.seal()
    void wire?.sock.end(undefined)
  }

  #end(): void {
    this.#isOver = true
    this.#openSince = 0
    this.#wire = null
    clearTimeout(this.#again)
  }
}
