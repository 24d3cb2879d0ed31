import { setImmediate } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Logger } from 'pino'
import { type InboundEvent, LeaseLost, type SessionHost, type Silence } from '../../../driver.ts'
import { isRepeatable, isUnfit } from '../../../platform/errors.ts'
import { strangeOf } from '../../received.ts'
import type { Journal, Owner } from '../keys/journal.ts'
import { chatOf } from './addresses.ts'
import { type Completion, createCompletion, type SessionFacts } from './completion.ts'
import { keptOf } from './kept.ts'
import type { Later, Read, Reader } from './reading.ts'
import { readableEventOf, silenceOf, timeOf } from './translate.ts'

/** How many events one commit records. */
const BATCH = 50
const AGAIN_MS = 1_000
const SWEEP_MS = 60_000
/** What was decrypted this long ago and did not come as a message has been dropped by Baileys. */
const LEFT_MS = 10_000
/** More than the tries that the completion of an event makes by itself (`completion.ts`). */
const TRIES = 20

interface Item {
  event: InboundEvent | Later | null
  /** Its chat, whose next items wait while it rests; the other chats go on. */
  lane: string
  /** What is kept of it where it cannot be recorded. */
  raw: () => Raw
  /** Journal rows that may be dropped when the event is recorded. */
  rowIds: string[]
  /** Runs after that. */
  then?: () => Promise<void>
  /** How often it failed by itself. */
  tries: number
  /** Not tried before, by the monotonic clock (ms). */
  restsUntil: number
}

type Raw = Parameters<typeof strangeOf>[0]

interface Named {
  me?: { id: string; lid?: string }
  advSecretKey: string
}

interface Options {
  host: SessionHost
  journal: Journal
  reader: Reader
  log: Logger
  past: {
    /** True for a part of the past while there is no socket to fetch it by. */
    waits(message: WAMessage): boolean
    /** Claims a part of the past with its rows. False: it is another message, or the past is not wanted. */
    claim(message: WAMessage, rowIds: string[]): boolean
  }
  facts: Omit<SessionFacts, 'me'>
  onLost(): void
}

/** The queue of a session's inbound events, in order. It outlives sockets: nothing is dropped while the database is down. */
export class Intake {
  readonly #options: Options
  readonly #completion: Completion
  readonly #waiting: Item[] = []
  readonly #sweep: NodeJS.Timeout
  #running: Promise<void> | null = null
  #isStopped = false
  #me: Owner | null = null
  /** So many items are recorded one by one: among them is the one by which a batch failed. */
  #alone = 0

  constructor(options: Options) {
    this.#options = options
    const { host, journal, reader, log, facts } = options
    this.#completion = createCompletion(host, { ...facts, me: () => this.#me })
    for (const one of reader.unrecorded())
      this.#push({ event: one, rowIds: [], lane: '', raw: () => NOTHING })
    this.#sweep = setInterval(() => {
      this.#addOlder(LEFT_MS)
      journal.sweep().catch(error => log.warn({ err: error }, 'the journal could not be swept'))
    }, SWEEP_MS)
  }

  add(event: InboundEvent | null, rowIds: string[] = [], then?: () => Promise<void>): void {
    if (!event && rowIds.length === 0) return
    const raw = () => (event ? { chat: event.chat, at: event.at, raw: event } : NOTHING)
    this.#push({ event, rowIds, lane: event?.chat.value ?? '', raw, ...(then && { then }) })
  }

  /** Adds what a message means. Answers its event, as far as the message itself has it. */
  addMessage(message: WAMessage, rowIds: string[]): InboundEvent | null {
    const whole = this.#options.journal.withContext(message, rowIds)
    // the same for all that comes of a chat: what rests keeps its order
    const lane = chatOf(whole.key.remoteJid ?? '', whole.key.remoteJidAlt)?.value ?? whole.key.remoteJid ?? ''
    this.#push({ event: this.#options.reader.later(whole), rowIds, lane, raw: () => rawOf(whole) })
    return readableEventOf(whole)
  }

  /** What was decrypted and never came as a message: the socket broke in between, or the process died. */
  addLeftovers({ me, advSecretKey }: Named): void {
    if (me) this.#me = { id: me.id, lid: me.lid ?? '', advSecretKey }
    if (this.#me) this.#options.reader.isRunBy(this.#me)
    this.#addOlder(0)
  }

  /** Resolves when everything added until now is recorded, or when it is certain that it will not be. */
  async settled(): Promise<void> {
    await this.#running
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#sweep)
  }

  #push(item: Omit<Item, 'tries' | 'restsUntil'>) {
    if (this.#isStopped) return
    this.#waiting.push({ ...item, tries: 0, restsUntil: 0 })
    this.#running ??= this.#run()
  }

  #addOlder(ms: number) {
    const { journal, past } = this.#options
    for (const { message, rowIds } of this.#me ? journal.leftovers(this.#me, ms, past.waits) : [])
      if (!message) this.add(null, rowIds)
      else if (!past.claim(message, rowIds)) this.addMessage(message, rowIds)
  }

  async #run() {
    await null
    while (this.#waiting.length > 0 && !this.#isStopped) {
      const batch = this.#next()
      try {
        if (batch.length > 0) await this.#record(batch)
        this.#remove(batch)
        if (batch.length === 0) await pause()
        else this.#options.host.recording(null)
        // Other work runs between two batches, above all the renewal of the lease.
        await setImmediate()
      } catch (error) {
        if (error instanceof LeaseLost) return this.#lost()
        await this.#failed(batch, error)
      }
    }
    // In the same step as the check of the queue: the next `add` starts the next run.
    this.#running = null
  }

  /** The next items, in order within each chat; one alone after a batch failed; none while all of them rest. */
  #next(): Item[] {
    const most = this.#alone > 0 ? 1 : BATCH
    const now = performance.now()
    const resting = new Set<string>()
    const next: Item[] = []
    for (const item of this.#waiting) {
      if (next.length === most) break
      if (resting.has(item.lane)) continue
      if (item.restsUntil > now) resting.add(item.lane)
      else next.push(item)
    }
    return next
  }

  #remove(batch: Item[]) {
    if (batch.length === 0) return
    const done = new Set(batch)
    const rest = this.#waiting.filter(item => !done.has(item))
    this.#waiting.splice(0, this.#waiting.length, ...rest)
    this.#alone = Math.max(0, this.#alone - batch.length)
  }

  /**
   * By a fault of ours everything waits, and the screen says so. Else a batch is recorded one by one, and what fails by
   * itself rests with its chat, until it is set aside: it holds up no other chat.
   */
  async #failed(batch: Item[], error: unknown) {
    const { log, host } = this.#options
    log.warn(
      { err: error, events: batch.length },
      'inbound events could not be recorded; they are tried again',
    )
    const [only] = batch
    if (isRepeatable(error)) {
      host.recording(error)
      return pause()
    }
    if (batch.length > 1) this.#alone = batch.length
    else if (only) {
      only.tries++
      only.restsUntil = performance.now() + AGAIN_MS
      if (isUnfit(error) || only.tries >= TRIES) await this.#setAside(only, error)
    }
  }

  /** Keeps what cannot be recorded in the raw log, with the reason. */
  async #setAside(item: Item, error: unknown) {
    const { host, journal, log } = this.#options
    try {
      await host.receive([strangeOf(item.raw(), error)])
      await journal.drop(item.rowIds)
      this.#remove([item])
      await item.then?.()
    } catch (again) {
      host.recording(again)
      log.warn({ err: again }, 'an inbound event could not be set aside')
    }
  }

  async #record(batch: Item[]) {
    const { host, journal, reader } = this.#options
    const reads: Read[] = []
    for (const { event } of batch) reads.push(await read(event))
    const parts = reads.flatMap(one => one.parts)
    // before an answer is opened, which may be in the same batch
    for (const { message } of parts) if (message) await this.#completion.learn(message)
    const events = parts.map(({ event, message }) => this.#completion.complete(event, message))
    const complete = await Promise.all(events)
    for (const [at, { message }] of parts.entries())
      if (message) await reader.unreadKinds.keep(message, complete[at] ?? null)
    const received = complete.filter(one => one !== null)
    // what went to a list of recipients is an event for each of them
    for (let from = 0; from < received.length; from += BATCH)
      await host.receive(received.slice(from, from + BATCH))
    for (const [at, { event, message }] of parts.entries())
      if (message && complete[at] === null) host.count(event ? unwanted(event) : silenceOf(message))
    await journal.drop(batch.flatMap(item => item.rowIds))
    for (const { recorded } of reads) await recorded?.()
    for (const { then } of batch) await then?.()
  }

  #lost() {
    this.stop()
    this.#options.onLost()
  }
}

const unwanted = ({ chat }: InboundEvent): Silence =>
  chat.kind === 'group' ? 'unwanted group' : 'private to the owner'

const pause = () => new Promise(resolve => setTimeout(resolve, AGAIN_MS))

const NOTHING: Raw = { chat: null, at: '', raw: null }

const rawOf = (message: WAMessage): Raw => ({
  chat: chatOf(message.key.remoteJid, message.key.remoteJidAlt),
  at: timeOf(message.messageTimestamp),
  raw: keptOf(message),
})

const read = async (event: Item['event']): Promise<Read> =>
  typeof event === 'function' ? event() : { parts: event ? [{ event }] : [] }
