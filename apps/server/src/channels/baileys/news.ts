import type { Logger } from 'pino'
import { type Heard, LeaseLost, type SessionDoor } from '../driver.ts'
import { completeChat } from './addresses.ts'
import type { Journal } from './journal.ts'

/** So many are written down in one commit. */
const BATCH = 50
const AGAIN_MS = 1_000

interface Item {
  heard: Heard | null
  /** Journal rows that may go when it was heard. */
  rowIds: string[]
}

/** What a session has to tell, in order. Survives its sockets: nothing is dropped because the database is away. */
export interface News {
  tell(heard: Heard | null, rowIds?: string[]): void
  /** Resolves when all that was told until now is written down, or when it is clear that it will not be. */
  told(): Promise<void>
  stop(): void
}

export function createNews(door: SessionDoor, journal: Journal, log: Logger, onLost: () => void): News {
  const waiting: Item[] = []
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    await null
    while (waiting.length > 0 && !isStopped) {
      const batch = waiting.slice(0, BATCH)
      try {
        await hear(batch)
        waiting.splice(0, batch.length)
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
    const named = await Promise.all(
      heard.map(async one => ({ ...one, chat: await completeChat(door.keys, one.chat) })),
    )
    if (named.length > 0) await door.hear(named)
    await journal.drop(batch.flatMap(item => item.rowIds))
  }

  function lost() {
    isStopped = true
    onLost()
  }

  return {
    tell(heard, rowIds = []) {
      if (isStopped || (!heard && rowIds.length === 0)) return
      waiting.push({ heard, rowIds })
      running ??= run()
    },
    told: async () => void (await running),
    stop() {
      isStopped = true
    },
  }
}
