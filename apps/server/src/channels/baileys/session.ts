import { type ConnectionState, fetchLatestWaWebVersion, jidDecode, type WAVersion } from 'baileys'
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
import { withinMs } from './fence.ts'
import { type Journal, openJournal } from './journal.ts'
import { baileysLog } from './log.ts'
import { createNews, type News } from './news.ts'
import { afterClose, HELD_MS, type Pace, RESTART, STALE_VERSION } from './reconnect.ts'
import { protoOf } from './send.ts'
import { openWire, type Wire } from './socket.ts'
import { createStatus, type Status } from './status.ts'
import { messageOf } from './translate.ts'

export interface SessionSettings {
  webUrl: string
  /** Null: the version that Baileys brings, renewed when the server refuses it. */
  version: WAVersion | null
  log: Logger
  pace?: Pace
}

/** How long each step of a goodbye may take. */
const GOODBYE_MS = 5_000
const SWEEP_MS = 60_000
/** What was decrypted this long ago and did not come as a message has been dropped by Baileys. */
const LEFT_MS = 10_000
const AGAIN_MS = 1_000
const WHATSAPP = /(^|\.)whatsapp\.com$/

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
  readonly #log: Logger
  readonly #retryCounts = boundedCache(1_000)
  readonly #sweep: NodeJS.Timeout
  #version: WAVersion | null
  #wire: Wire | null = null
  #again: NodeJS.Timeout | undefined
  /** Logged in at present, and since when. */
  #openSince = 0
  #failures = 0
  #isOver = false

  constructor(door: SessionDoor, settings: SessionSettings, journal: Journal) {
    const lost = () => this.#lost()
    this.#door = door
    this.#settings = settings
    this.#version = settings.version
    this.#journal = journal
    this.#log = settings.log.child({ companyId: door.companyId, whatsappId: door.whatsappId })
    this.#news = createNews(door, journal, this.#log, lost)
    this.#status = createStatus(door, lost)
    this.#sweep = setInterval(() => this.#tellLeftovers(LEFT_MS), SWEEP_MS)
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
      await withinMs(
        GOODBYE_MS,
        goodbye.then(() => wire.closed),
      )
      await withinMs(GOODBYE_MS, wire.retire())
      wire.auth.seal()
    }
    await withinMs(GOODBYE_MS, Promise.all([this.#news.told(), this.#status.said()]))
    this.#news.stop()
    this.#status.stop()
  }

  async #connect(): Promise<void> {
    try {
      const wire = await openWire({
        rows: this.#door.keys,
        journal: this.#journal,
        retryCounts: this.#retryCounts,
        config: {
          waWebSocketUrl: this.#settings.webUrl,
          logger: baileysLog(this.#log),
          getMessage: async ({ id }) => this.#sent(id ?? ''),
          ...(this.#version && { version: this.#version }),
        },
        tell: (heard, rowIds) => this.#news.tell(heard, rowIds),
        changed: state => this.#changed(state),
        broken: error => this.#broken(error),
      })
      this.#wire = wire
      if (this.#isOver) return void wire.sock.end(undefined)
      this.#tellLeftovers(0)
    } catch (error) {
      if (error instanceof LeaseLost) return this.#lost()
      this.#log.warn({ err: error }, 'the connection could not be opened')
      if (!this.#isOver) this.#again = setTimeout(() => void this.#connect(), AGAIN_MS)
    }
  }

  #changed({ qr, isNewLogin, connection, lastDisconnect }: Partial<ConnectionState>): void {
    if (this.#isOver) return
    if (qr) void this.#pair(qr)
    if (isNewLogin) this.#status.say({ status: 'PAIRING', qrcode: '', pairingCode: '' })
    if (connection === 'open') this.#opened()
    if (connection === 'close') void this.#closed(lastDisconnect?.error)
  }

  async #pair(qrcode: string): Promise<void> {
    const { pairNumber } = this.#door
    const { sock, auth } = this.#wire!
    if (!pairNumber) return this.#status.say({ status: 'qrcode', qrcode, pairingCode: '' })
    // The code stays good while QR codes go by.
    if (auth.creds.pairingCode) return
    try {
      const pairingCode = await sock.requestPairingCode(pairNumber)
      this.#status.say({ status: 'qrcode', qrcode: '', pairingCode })
    } catch (error) {
      this.#log.warn({ err: error }, 'no pairing code was to be had')
      void sock.end(error as Error)
    }
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
    const isPaired = wire.auth.isPaired()
    if (this.#openSince > 0 && Date.now() - this.#openSince >= HELD_MS) this.#failures = 0
    this.#openSince = 0
    await this.#insist(() => wire.retire())
    if (this.#isOver) return
    this.#tellLeftovers(0)
    const next = afterClose({ code, isPaired, failures: this.#failures }, this.#settings.pace)
    this.#log.info({ code, ...next }, 'the connection has closed')
    if (next.is === 'again') return this.#comeBack(code, next.afterMs)
    await this.#news.told()
    this.#end()
    if (next.forget) await this.#insist(() => this.#door.keys.clear())
    const { status, reason: statusReason } = next
    this.#status.say({ status, statusReason, qrcode: '', pairingCode: '', retries: 0 })
  }

  async #comeBack(code: number | undefined, afterMs: number): Promise<void> {
    if (code !== RESTART) {
      this.#failures++
      this.#status.say({ status: 'OPENING', qrcode: '', pairingCode: '', retries: this.#failures })
    }
    if (code === STALE_VERSION) await this.#renewVersion()
    if (!this.#isOver) this.#again = setTimeout(() => void this.#connect(), afterMs)
  }

  async #renewVersion(): Promise<void> {
    const { version, webUrl } = this.#settings
    if (version || !WHATSAPP.test(new URL(webUrl).hostname)) return
    const latest = await fetchLatestWaWebVersion({ signal: AbortSignal.timeout(GOODBYE_MS) })
    if (latest.isLatest) this.#version = latest.version
    this.#log.warn(
      { version: latest.version, err: latest.error },
      'WhatsApp refused this version of the client',
    )
  }

  /** What was decrypted and never came as a message: the socket broke in between, or the process did. */
  #tellLeftovers(ms: number): void {
    const me = this.#wire?.auth.creds.me
    if (!me) return
    for (const { message, rowIds } of this.#journal.leftovers({ id: me.id, lid: me.lid ?? '' }, ms))
      this.#news.tell(messageOf(message), rowIds)
  }

  async #sent(externalId: string) {
    const sent = await this.#door.sent(externalId)
    return sent ? protoOf(sent) : undefined
  }

  /** Tries until it works; it must, or the next socket would begin with what the last one does not know. */
  async #insist(work: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        return await work()
      } catch (error) {
        if (error instanceof LeaseLost) return this.#lost()
        if (this.#isOver) return
        this.#log.warn({ err: error }, 'keys could not be stored yet')
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
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
    clearInterval(this.#sweep)
  }
}
