import { setImmediate } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Logger } from 'pino'
import { type InboundEvent, LeaseLost, type SessionHost } from '../../../driver.ts'
import type { Journal, Me } from '../keys/journal.ts'
import { withinMs } from '../session/time-limit.ts'
import { completeChat } from './addresses.ts'
import { inboundFrom } from './translate.ts'

/** How many events one commit records. */
const BATCH = 50
const AGAIN_MS = 1_000
/** A group without its name is better than a message that waits for it. */
const SUBJECT_MS = 3_000
const SWEEP_MS = 60_000
/** What was decrypted this long ago and did not come as a message has been dropped by Baileys. */
const LEFT_MS = 10_000

interface Item {
  event: InboundEvent | null
  /** Journal rows that may be dropped when the event is recorded. */
  rowIds: string[]
  /** Runs after that. */
  then?: () => Promise<void>
}

interface Named {
  me?: { id: string; lid?: string }
}

interface Options {
  host: SessionHost
  journal: Journal
  log: Logger
  past: {
    /** True for a part of the past while there is no socket to fetch it by. */
    waits(message: WAMessage): boolean
    /** Claims a part of the past with its rows. False: it is another message, or the past is not wanted. */
    claim(message: WAMessage, rowIds: string[]): boolean
  }
  /** A group's name, empty when it is unknown. */
  subject(groupId: string): Promise<string>
  onLost(): void
}

/** The queue of a session's inbound events, in order. It outlives sockets: nothing is dropped while the database is down. */
export class Intake {
  readonly #options: Options
  readonly #waiting: Item[] = []
  readonly #sweep: NodeJS.Timeout
  #running: Promise<void> | null = null
  #isStopped = false
  #me: Me | null = null

  constructor(options: Options) {
    this.#options = options
    const { journal, log } = options
    this.#sweep = setInterval(() => {
      this.#addOlder(LEFT_MS)
      journal.sweep().catch(error => log.warn({ err: error }, 'the journal could not be swept'))
    }, SWEEP_MS)
  }

  add(event: InboundEvent | null, rowIds: string[] = [], then?: () => Promise<void>): void {
    if (this.#isStopped || (!event && rowIds.length === 0)) return
    this.#waiting.push({ event, rowIds, ...(then && { then }) })
    this.#running ??= this.#run()
  }

  /** What was decrypted and never came as a message: the socket broke in between, or the process died. */
  addLeftovers({ me }: Named): void {
    if (me) this.#me = { id: me.id, lid: me.lid ?? '' }
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

  #addOlder(ms: number) {
    const { journal, past } = this.#options
    for (const { message, rowIds } of this.#me ? journal.leftovers(this.#me, ms, past.waits) : [])
      if (!message || !past.claim(message, rowIds)) this.add(message && inboundFrom(message), rowIds)
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
    const events = batch.flatMap(item => item.event ?? [])
    const complete = (await Promise.all(events.map(one => this.#completed(one)))).filter(one => one !== null)
    if (complete.length > 0) await host.receive(complete)
    await journal.drop(batch.flatMap(item => item.rowIds))
    for (const { then } of batch) await then?.()
  }

  /** Fills in who people and groups are; null for events that the company does not receive. */
  async #completed(event: InboundEvent): Promise<InboundEvent | null> {
    const { host } = this.#options
    const chat = await completeChat(host.keys, event.chat)
    if (chat.kind !== 'group') return { ...event, chat }
    if (!(await host.acceptsGroups())) return null
    if (event.kind !== 'message' && event.kind !== 'reaction') return { ...event, chat }
    const by = event.author && { ...(await completeChat(host.keys, event.author)), name: event.author.name }
    const known = { ...event, chat, ...(by && { author: by }) }
    return known.kind === 'message' ? { ...known, name: await this.#subjectOf(chat.value) } : known
  }

  async #subjectOf(groupId: string): Promise<string> {
    let name = ''
    await withinMs(
      SUBJECT_MS,
      this.#options.subject(groupId).then(found => {
        name = found
      }),
    )
    return name
  }

  #lost() {
    this.stop()
    this.#options.onLost()
  }
}
