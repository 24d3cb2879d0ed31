import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { whyItFailed } from '../observe/log-errors.ts'
import { notLater } from '../outbound/flow.ts'
import { postgresClient } from '../outbound/postgres.client.ts'

/** What every process reads, and what only those read that have screens. */
export type ExchangeChannel = 'processes' | 'screens'

/** Whose turn signals and questions between processes use, which are of no company. */
export const OF_PROCESSES = -1

export interface ExchangeText {
  channel: ExchangeChannel
  company: number
  text: string
  /**
   * Runs once, when this process reads it at its place in the order of all, under the id that all know it by; with null, at
   * once or later, where others may not have received it.
   */
  placed?(id: string | null): void
}

type Hear = (text: string, id: string) => void

/**
 * Messages between the processes of an installation without Redis: PostgreSQL's LISTEN and NOTIFY over one connection of each
 * process. All processes read them in the same order, that of the commits. Companies take turns in what is sent, and what one
 * sends beyond its bounds is lost to others: `onLoss` names the company, or null for all after an outage.
 */
export class Exchange {
  readonly #url: string
  readonly #log: Logger
  readonly hasScreens: boolean
  readonly #channels: ExchangeChannel[]
  readonly #silentMs: number
  readonly #bounds: { texts: number; bytes: number }
  readonly #me = randomBytes(6).toString('base64url')
  readonly #hearers: Record<ExchangeChannel, Hear[]> = { processes: [], screens: [] }
  readonly #waiting = new Map<number, Waiting>()
  readonly #underWay = new Map<string, ExchangeText>()
  readonly #lost = new Set<number | null>()
  readonly #parts = new Map<string, string[]>()
  #onLoss: (company: number | null) => void = () => {}
  #client: ReturnType<typeof postgresClient> | null = null
  #count = 0
  #isSending = false
  #isClosed = false
  #isDown = false
  #pinging: NodeJS.Timeout | undefined

  constructor(url: string, log: Logger, given: Partial<Given> = {}) {
    this.#url = url
    this.#log = log
    this.hasScreens = given.hasScreens ?? true
    this.#channels = this.hasScreens ? ['processes', 'screens'] : ['processes']
    this.#silentMs = given.silentMs ?? SILENT_MS
    this.#bounds = given.bounds ?? MOST_WAITING
  }

  /** Connects. Throws ConfigError where what is notified does not arrive: a pooler lends the connection to each transaction. */
  async open() {
    await this.#connect()
    const arrived = new Promise<void>(done =>
      this.send({
        ...{ channel: 'processes', company: OF_PROCESSES, text: PROBE },
        placed: id => id !== null && done(),
      }),
    )
    await notLater(PROBE_MS, arrived, 'nothing arrives').catch(async () => {
      await this.close()
      throw new ConfigError(NOT_LISTENING)
    })
    this.#pinging = setInterval(() => this.#ping(), this.#silentMs / 2)
    this.#pinging.unref()
  }

  isReady = () => this.#client !== null

  hear(channel: ExchangeChannel, hear: Hear) {
    this.#hearers[channel].push(hear)
  }

  onLoss(lost: (company: number | null) => void) {
    this.#onLoss = lost
  }

  send(sent: ExchangeText) {
    if (!this.#client) return this.#lose(sent, null)
    const { company, text } = sent
    const waiting = this.#waiting.get(company) ?? { queue: [], bytes: 0 }
    const bytes = Buffer.byteLength(text)
    if (
      bytes > MOST_BYTES ||
      waiting.queue.length >= this.#bounds.texts ||
      waiting.bytes + bytes > this.#bounds.bytes
    )
      return this.#refuse(sent, company)
    waiting.queue.push({ sent, bytes })
    waiting.bytes += bytes
    this.#waiting.set(company, waiting)
    if (this.#isSending) return
    this.#isSending = true
    setImmediate(() => this.#sendAll())
  }

  /** What waits is sent first, as far as that is quick. */
  async close() {
    for (const end = performance.now() + CLOSING_MS; this.#isSending && performance.now() < end; )
      await new Promise(done => setTimeout(done, 10))
    this.#isClosed = true
    clearInterval(this.#pinging)
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  async #sendAll() {
    const client = this.#client
    while (client && client === this.#client && this.#waiting.size > 0) {
      const batch = this.#nextBatch()
      const rows = batch.flatMap(sent => this.#rowsOf(sent))
      try {
        await client.query({
          name: 'exchange',
          text: NOTIFY,
          values: [rows.map(({ name }) => name), rows.map(({ row }) => row)],
        })
      } catch (error) {
        this.#break(client, error)
        break
      }
      // who has no screens does not read what is for them
      for (const [id, sent] of this.#underWay) if (!this.#channels.includes(sent.channel)) this.#place(id)
    }
    // a new connection may have been made meanwhile
    this.#isSending = this.#client !== null && this.#waiting.size > 0
    if (this.#isSending) setImmediate(() => this.#sendAll())
  }

  /** One of each company in turn, until a statement is full. */
  #nextBatch(): ExchangeText[] {
    const batch: ExchangeText[] = []
    for (let bytes = 0; bytes < BATCH_BYTES && batch.length < BATCH_TEXTS; ) {
      const [first] = this.#waiting
      if (!first) break
      const [company, waiting] = first
      const next = waiting.queue.shift()!
      waiting.bytes -= next.bytes
      bytes += next.bytes
      batch.push(next.sent)
      this.#waiting.delete(company)
      if (waiting.queue.length > 0) this.#waiting.set(company, waiting)
      else this.#reportLoss(company)
    }
    return batch
  }

  /** What is too long for one notification is several, which arrive together: they are of one transaction. */
  #rowsOf(sent: ExchangeText) {
    const id = `${this.#me}-${++this.#count}`
    this.#underWay.set(id, sent)
    const name = nameOf(sent.channel)
    if (Buffer.byteLength(sent.text) <= PART_BYTES) return [{ name, row: `${id} 1/1 ${sent.text}` }]
    const packed = Buffer.from(sent.text).toString('base64')
    const parts = Math.ceil(packed.length / PART_BYTES)
    return Array.from({ length: parts }, (_, at) => ({
      name,
      row: `${id} ${at + 1}/${parts} ${packed.slice(at * PART_BYTES, (at + 1) * PART_BYTES)}`,
    }))
  }

  #receive(name: string, row: string) {
    const read = ROW.exec(row)
    const channel = this.#channels.find(one => nameOf(one) === name)
    if (!read || !channel) return
    const [head, id = '', at = '', of = ''] = read
    let text = row.slice(head.length)
    if (of !== '1') {
      const parts = this.#parts.get(id) ?? []
      parts.push(text)
      this.#parts.set(id, parts)
      if (at !== of) return
      this.#parts.delete(id)
      text = Buffer.from(parts.join(''), 'base64').toString()
    }
    if (id.startsWith(`${this.#me}-`)) return this.#place(id)
    for (const hear of this.#hearers[channel]) this.#given(hear, text, id)
  }

  /** Whoever may connect to the database may notify, too: what is thrown here would end the process. */
  #given(hear: Hear, text: string, id: string) {
    try {
      hear(text, id)
    } catch (error) {
      this.#log.warn({ err: error }, 'a message of another process was not understood')
    }
  }

  #place(id: string) {
    const sent = this.#underWay.get(id)
    this.#underWay.delete(id)
    sent?.placed?.(id)
  }

  /** Its screens fetch behind what waits. */
  #refuse(sent: ExchangeText, company: number) {
    this.#lose(sent, company)
    if (!this.#waiting.has(company)) setImmediate(() => this.#reportLoss(company))
  }

  #lose(sent: ExchangeText, company: number | null) {
    this.#lost.add(company)
    sent.placed?.(null)
  }

  #reportLoss(company: number | null) {
    if (this.#lost.delete(company)) this.#onLoss(company)
  }

  #break(client: ReturnType<typeof postgresClient>, error: unknown) {
    if (client !== this.#client) return
    this.#client = null
    client.end().catch(() => {})
    if (this.#isClosed) return
    this.#lost.add(null)
    this.#parts.clear()
    const left = [
      ...this.#underWay.values(),
      ...[...this.#waiting.values()].flatMap(({ queue }) => queue.map(({ sent }) => sent)),
    ]
    this.#underWay.clear()
    this.#waiting.clear()
    for (const sent of left) this.#lose(sent, null)
    this.#note(error)
    void this.#reconnect()
  }

  async #reconnect() {
    for (let wait = 50; !this.#isClosed && !this.#client; wait = Math.min(wait * 2, 2_000)) {
      await new Promise(done => setTimeout(done, wait + Math.random() * wait).unref())
      await this.#connect().catch(error => this.#note(error))
    }
  }

  async #connect() {
    const client = postgresClient(
      { connectionString: this.#url, application_name: 'balcao exchange', options: SETTINGS },
      this.#silentMs,
    )
    client.on('error', error => this.#break(client, error))
    client.on('end', () => this.#break(client, new Error('the connection ended')))
    client.on('notification', ({ channel, payload }) => this.#receive(channel, payload ?? ''))
    try {
      await client.connect()
      await client.query(this.#channels.map(channel => `listen ${nameOf(channel)}`).join(';'))
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    if (this.#isClosed) return void client.end().catch(() => {})
    this.#client = client
    if (this.#isDown) this.#log.info('the exchange between processes works again')
    this.#isDown = false
    this.#reportLoss(null)
  }

  #ping() {
    const client = this.#client
    client?.query('select 1').catch(error => this.#break(client, error))
  }

  /** An outage is logged once, and so is its end. */
  #note(error: unknown) {
    if (this.#isDown || this.#isClosed) return
    this.#isDown = true
    const why = whyItFailed(error)
    this.#log.warn({ why }, 'the exchange does not work: pushes and signals stay within this process')
  }
}

interface Given {
  hasScreens: boolean
  silentMs: number
  bounds: { texts: number; bytes: number }
}

interface Waiting {
  queue: { sent: ExchangeText; bytes: number }[]
  bytes: number
}

const nameOf = (channel: ExchangeChannel) => `balcao_${channel}`

/** PostgreSQL takes fewer than 8,000 bytes; an id and the count of parts are in it. */
const PART_BYTES = 7_800
/** Of one text; above it is lost, and screens fetch. */
const MOST_BYTES = 1_000_000
/** Of a company, or of the processes, in each process. */
const MOST_WAITING = { texts: 10_000, bytes: 8_000_000 }
/** In a statement, which holds a lock of all notifications of the server until its commit. */
const BATCH_TEXTS = 200
const BATCH_BYTES = 200_000

const SILENT_MS = 10_000
const PROBE_MS = 5_000
const PROBE = ''
const CLOSING_MS = 2_000

const NOTIFY = 'select pg_notify(name, text) from unnest($1::text[], $2::text[]) as given(name, text)'
const ROW = /^([\w-]{1,40}) (\d{1,4})\/(\d{1,4}) /
/** What is notified is not kept: its commit waits for no disk. */
const SETTINGS = '-c synchronous_commit=off -c statement_timeout=10000'

const NOT_LISTENING =
  'DATABASE_URL: nothing that a process notifies arrives in it, as behind a pooler of transactions. Several processes need a direct address of PostgreSQL, or REDIS_URL'
