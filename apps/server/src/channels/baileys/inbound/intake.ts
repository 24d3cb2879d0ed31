import { setImmediate } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Logger } from 'pino'
import { type InboundEvent, LeaseLost, type SessionHost } from '../../../driver.ts'
import type { Journal, Me } from '../keys/journal.ts'
import { type Completion, createCompletion, type SessionFacts } from './completion.ts'
import type { Later, Read, Reader } from './reading.ts'
import { inboundFrom } from './translate.ts'

/** How many events one commit records. */
const BATCH = 50
const AGAIN_MS = 1_000
const SWEEP_MS = 60_000
/** What was decrypted this long ago and did not come as a message has been dropped by Baileys. */
const LEFT_MS = 10_000

interface Item {
  event: InboundEvent | Later | null
  /** Journal rows that may be dropped when the event is recorded. */
  rowIds: string[]
  /** Runs after that. */
  then?: () => Promise<void>
}

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
  facts: Pick<SessionFacts, 'groups' | 'orderDetails'>
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
  #me: Me | null = null

  constructor(options: Options) {
    this.#options = options
    const { host, journal, reader, log, facts } = options
    this.#completion = createCompletion(host, { ...facts, me: () => this.#me })
    for (const one of reader.unrecorded()) this.#push({ event: one, rowIds: [] })
    this.#sweep = setInterval(() => {
      this.#addOlder(LEFT_MS)
      journal.sweep().catch(error => log.warn({ err: error }, 'the journal could not be swept'))
    }, SWEEP_MS)
  }

  add(event: InboundEvent | null, rowIds: string[] = [], then?: () => Promise<void>): void {
    if (event || rowIds.length > 0) this.#push({ event, rowIds, ...(then && { then }) })
  }

  /** Adds what a message means. Answers its event, as far as the message itself has it. */
  addMessage(message: WAMessage, rowIds: string[]): InboundEvent | null {
    const whole = this.#options.journal.withContext(message, rowIds)
    this.#push({ event: this.#options.reader.later(whole), rowIds })
    return inboundFrom(whole)
  }

  /** What was decrypted and never came as a message: the socket broke in between, or the process died. */
  addLeftovers({ me, advSecretKey }: Named): void {
    if (me) this.#me = { id: me.id, lid: me.lid ?? '' }
    if (this.#me) this.#options.reader.isRunBy({ ...this.#me, advSecretKey })
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

  #push(item: Item) {
    if (this.#isStopped) return
    this.#waiting.push(item)
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
      const batch = this.#waiting.slice(0, BATCH)
      try {
        await this.#record(batch)
        this.#waiting.splice(0, batch.length)
        // Other work runs between two batches, above all the renewal of the lease.
        await setImmediate()
      } catch (error) {
        if (error instanceof LeaseLost) return this.#lost()
        this.#options.log.warn({ err: error }, 'inbound events could not be recorded; they are tried again')
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    // In the same step as the check of the queue: the next `add` starts the next run.
    this.#running = null
  }

  async #record(batch: Item[]) {
    const { host, journal } = this.#options
    const reads: Read[] = []
    for (const { event } of batch) reads.push(await read(event))
    const parts = reads.flatMap(one => one.parts)
    // before an answer is opened, which may be in the same batch
    for (const { message } of parts) if (message) await this.#completion.learn(message)
    const events = parts.map(({ event, message }) => this.#completion.complete(event, message))
    const complete = (await Promise.all(events)).filter(one => one !== null)
    if (complete.length > 0) await host.receive(complete)
    await journal.drop(batch.flatMap(item => item.rowIds))
    for (const { recorded } of reads) await recorded?.()
    for (const { then } of batch) await then?.()
  }

  #lost() {
    this.stop()
    this.#options.onLost()
  }
}

const read = async (event: Item['event']): Promise<Read> =>
  typeof event === 'function' ? event() : { parts: event ? [{ event }] : [] }
