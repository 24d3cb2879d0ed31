import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database } from '../postgres/db.ts'
import type { WorkedQueue } from './job-queue.ts'
import { queuesDue, unattended } from './job-rows.ts'
import { repeat } from './repeat.ts'

/** A job is tried again, by whichever process, when its own has not reported for so long. */
export const ALIVE_SECONDS = 30
/** How often (ms) a process reports that it works on its jobs. */
const BEAT_MS = 10_000
/** How often (ms) it is looked for jobs whose process does not report any more. */
const UNATTENDED_MS = 5_000
/** How often (ms) all queues are checked, by one statement. */
const LOOK_MS = 1_000

/** So long (ms) a stop waits for the jobs that are under way. */
const STOP_MS = 10_000

/** What a process does beside its jobs, until it stops. */
export interface Working {
  stop(): Promise<void>
}

interface Worked {
  boss: PgBoss
  database: Database
  log: Logger
  queues: Map<string, WorkedQueue>
  /** The workers of chores, by name. */
  workers: Map<string, string>
}

/** Looks for due jobs, reports that this process works on its own, and gives back those of processes that died. */
export function keepWorking({ boss, database, log, queues, workers }: Worked): Working {
  const looking = repeat(
    LOOK_MS,
    async () => {
      const due = Map.groupBy(await queuesDue(database), ({ name }) => name)
      for (const [name, jobs] of due) queues.get(name)?.look(jobs.map(({ companyId }) => companyId))
      wake(boss, workers, [...due.keys()])
    },
    log,
  )
  const beating = repeat(
    BEAT_MS,
    async () => void (await Promise.all([...queues.values()].map(queue => queue.beat()))),
    log,
  )
  let lookedAt = performance.now()
  let steadyFrom = lookedAt
  const freeing = repeat(
    UNATTENDED_MS,
    async () => {
      const now = performance.now()
      // behind an outage of the database, or of this process, the others report first
      if (now - lookedAt > 2 * UNATTENDED_MS) steadyFrom = now
      if (now - steadyFrom > BEAT_MS) await giveBack(boss, database, ALIVE_SECONDS)
      else await unattended(database, ALIVE_SECONDS)
      lookedAt = performance.now()
    },
    log,
  )
  return {
    async stop() {
      await Promise.all([looking.stop(), freeing.stop()])
      await Promise.all([...queues.values()].map(queue => queue.stop(STOP_MS)))
      await beating.stop()
    },
  }
}

/** Jobs whose process has not reported for `seconds` are tried again; null: all that are under way. */
export async function giveBack(boss: PgBoss, database: Database, seconds: number | null): Promise<void> {
  const found = Map.groupBy(await unattended(database, seconds), ({ name }) => name)
  for (const [name, attempts] of found) await boss.fail(name, attempts, { message: 'its process ended' })
}

function wake(boss: PgBoss, workers: Map<string, string>, due: string[]) {
  for (const name of due) {
    const worker = workers.get(name)
    if (worker) boss.notifyWorker(worker)
  }
}
