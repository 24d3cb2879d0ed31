import type { PgBoss, Queue } from 'pg-boss'
import { ALIVE_SECONDS } from './job-keeping.ts'

interface AJob {
  name: string
  retries: number
  retryDelay: number
  minutes: number
  givenUp?: { name: string }
}

interface AChore {
  name: string
  cron: string
  minutes: number
}

/** No company has this number: for jobs of no company, or whose company must not be visible. */
export const NO_COMPANY = 0

/** Creates queues that are missing, and changes those that were created otherwise. */
export async function createQueues(boss: PgBoss, jobs: AJob[], chores: AChore[]) {
  const known = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  const create = async (
    name: string,
    retryLimit: number,
    more: {
      retryDelay?: number
      deadLetter?: string
      expireInSeconds?: number
      heartbeatSeconds?: number
    } = {},
  ) => {
    const options = { retryLimit, retryBackoff: true, retryDelay: 1, ...more }
    const queue = known.get(name)
    const isAsGiven = Object.entries(options).every(([key, value]) => queue?.[key as keyof Queue] === value)
    if (isAsGiven) return
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
  }
  for (const { name, retries, retryDelay, minutes, givenUp } of jobs)
    await create(name, retries, {
      retryDelay,
      expireInSeconds: minutes * 60,
      heartbeatSeconds: ALIVE_SECONDS,
      ...(givenUp && { deadLetter: givenUp.name }),
    })
  for (const { name, minutes } of chores)
    await create(name, 2, { expireInSeconds: minutes * 60, heartbeatSeconds: ALIVE_SECONDS })
}

/** A chore that was due during downtime runs once, however often it was due. */
export async function scheduleChores(boss: PgBoss, chores: AChore[]) {
  const known = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule]))
  for (const { name, cron } of chores) {
    const schedule = known.get(name)
    if (schedule?.cron !== cron || schedule.options?.missed !== 'once' || !schedule.options?.group)
      await boss.schedule(name, cron, null, { missed: 'once', group: groupOf(NO_COMPANY) })
  }
}

/** The company in the queue's own terms, by which it selects. */
export const groupOf = (companyId: number) => ({ id: String(companyId) })
