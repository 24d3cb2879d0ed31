import { setImmediate } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Logger } from 'pino'
import { type Heard, LeaseLost, type SessionHost } from '../../driver.ts'
import { completeChat } from './addresses.ts'
import type { Journal, Me } from './journal.ts'
import { withinMs } from './patience.ts'
import { heardIn } from './translate.ts'

/** So many are written down in one commit. */
const BATCH = 50
const AGAIN_MS = 1_000
/** A group without its name is better than a message that waits for it. */
const SUBJECT_MS = 3_000
const SWEEP_MS = 60_000
/** What was decrypted this long ago and did not come as a message has been dropped by Baileys. */
const LEFT_MS = 10_000

interface Item {
  heard: Heard | null
  /** Journal rows that may go when it was heard. */
  rowIds: string[]
  /** What else may go then. */
  then?: () => Promise<void>
}

/** What a session has to tell, in order. Survives its sockets: nothing is dropped because the database is away. */
export interface Intake {
  tell(heard: Heard | null, rowIds?: string[], then?: () => Promise<void>): void
  /** What was decrypted and never came as a message: the socket broke in between, or the process did. */
  tellLeftovers(creds: Named): void
  /** Resolves when all that was told until now is written down, or when it is clear that it will not be. */
  told(): Promise<void>
  stop(): void
}

interface Named {
  me?: { id: string; lid?: string }
}

interface Options {
  host: SessionHost
  journal: Journal
  log: Logger
  past: {
    /** A part of the past, and no socket to fetch it by at present. */
    waits(message: WAMessage): boolean
    /** Takes a part of the past with its rows. False: it is another message, or nobody wants it. */
    take(message: WAMessage, rowIds: string[]): boolean
  }
  /** A group's name, empty when it cannot be had. */
  subject(groupId: string): Promise<string>
  onLost(): void
}

export function createIntake({ host, journal, log, past, subject, onLost }: Options): Intake {
  const waiting: Item[] = []
  let running: Promise<void> | null = null
  let isStopped = false
  let me: Me | null = null
  const sweep = setInterval(() => {
    tellLeftovers(LEFT_MS)
    journal.sweep().catch(error => log.warn({ err: error }, 'heard messages stay in the journal'))
  }, SWEEP_MS)

  async function run() {
    await null
    while (waiting.length > 0 && !isStopped) {
      const batch = waiting.slice(0, BATCH)
      try {
        await hear(batch)
        waiting.splice(0, batch.length)
        // Others want to be heard between two batches, most of all whoever renews the lease.
        await setImmediate()
      } catch (error) {
        if (error instanceof LeaseLost) return lost()
        log.warn({ err: error }, 'news will be told again')
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    // In the same step as the look at what waits: whoever tells next starts the next run.
    running = null
  }

  async function hear(batch: Item[]) {
    const heard = batch.flatMap(item => item.heard ?? [])
    const complete = (await Promise.all(heard.map(completed))).filter(one => one !== null)
    if (complete.length > 0) await host.hear(complete)
    await journal.drop(batch.flatMap(item => item.rowIds))
    for (const { then } of batch) await then?.()
  }

  /** Fills in who people and groups are; null for what the company does not want to hear. */
  async function completed(heard: Heard): Promise<Heard | null> {
    const chat = await completeChat(host.keys, heard.chat)
    if (chat.kind !== 'group') return { ...heard, chat }
    if (!(await host.takesGroups())) return null
    if (heard.kind !== 'message' && heard.kind !== 'reaction') return { ...heard, chat }
    const by = heard.author && { ...(await completeChat(host.keys, heard.author)), name: heard.author.name }
    const said = { ...heard, chat, ...(by && { author: by }) }
    return said.kind === 'message' ? { ...said, name: await subjectOf(chat.value) } : said
  }

  async function subjectOf(groupId: string): Promise<string> {
    let name = ''
    await withinMs(
      SUBJECT_MS,
      subject(groupId).then(found => {
        name = found
      }),
    )
    return name
  }

  function lost() {
    stop()
    onLost()
  }

  function tell(heard: Heard | null, rowIds: string[] = [], then?: () => Promise<void>) {
    if (isStopped || (!heard && rowIds.length === 0)) return
    waiting.push({ heard, rowIds, ...(then && { then }) })
    running ??= run()
  }

  function tellLeftovers(ms: number) {
    for (const { message, rowIds } of me ? journal.leftovers(me, ms, past.waits) : [])
      if (!message || !past.take(message, rowIds)) tell(message && heardIn(message), rowIds)
  }

  function stop() {
    isStopped = true
    clearInterval(sweep)
  }

  return {
    tell,
    tellLeftovers(creds) {
      if (creds.me) me = { id: creds.me.id, lid: creds.me.lid ?? '' }
      tellLeftovers(0)
    },
    told: async () => void (await running),
    stop,
  }
}
