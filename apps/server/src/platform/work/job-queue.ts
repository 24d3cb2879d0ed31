import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { PgBoss, Job as Task } from 'pg-boss'
import type { Logger } from 'pino'
import { whyItFailed } from '../observe/log-errors.ts'
import { whenAsked } from './repeat.ts'
import { openWorkTurns } from './work-turns.ts'

/** What a job is enqueued with. */
export type Envelope = { companyId: number; data: object; trace?: string; viewer?: Viewer }

/** The jobs of one queue in this process. */
export interface WorkedQueue {
  /** Begins jobs while places are free; `companies` have some that are due. */
  look(companies: number[]): void
  /** Reports that this process still works on its jobs. */
  beat(): Promise<void>
  /** Waits `ms` for the jobs that are under way; those that take longer are tried again by another process. */
  stop(ms: number): Promise<void>
}

interface Bounds {
  name: string
  atOnce: number
  ofOne: number
  minutes: number
}

/** Works off one queue, companies in turn. */
export function workQueue(
  boss: PgBoss,
  { name, atOnce, ofOne, minutes }: Bounds,
  run: (task: Task<Envelope>) => Promise<void>,
  log: Logger,
): WorkedQueue {
  const places = openWorkTurns({ all: atOnce, ofOne })
  const underWay = new Map<Task<Envelope>, Promise<void>>()
  /** Companies of which jobs are known to wait. */
  const waiting = new Set<number>()
  let stopping = false

  async function fill() {
    for (;;) {
      const company = stopping ? null : places.next(waiting)
      if (company === null) return
      const others = new Set([...waiting, ...[...underWay.keys()].map(({ data }) => data.companyId)])
      others.delete(company)
      const [task] = await boss.fetch<Envelope>(name, { ignoreGroups: [...others].map(String) })
      if (task) begin(task)
      else waiting.delete(company)
    }
  }

  function begin(task: Task<Envelope>) {
    const { companyId } = task.data
    places.take(companyId)
    const work = within(minutes, run(task))
      .then(
        () => boss.complete(name, task),
        (error: unknown) => boss.fail(name, task, { message: whyItFailed(error) }),
      )
      .catch(error => log.warn({ err: error, job: name, id: task.id }, 'the end of a job was not recorded'))
      .then(() => {
        underWay.delete(task)
        places.release(companyId)
        filling.now()
      })
    underWay.set(task, work)
  }

  const filling = whenAsked(fill, log)
  return {
    look(companies) {
      for (const company of companies) waiting.add(company)
      filling.now()
    },
    async beat() {
      // by its attempt: a claim that another process took over is not renewed
      if (underWay.size > 0) await boss.touch(name, [...underWay.keys()])
    },
    async stop(ms) {
      stopping = true
      await filling.stop()
      await Promise.race([Promise.all(underWay.values()), passed(ms)])
      const left = [...underWay.keys()]
      if (left.length > 0) await boss.fail(name, left, { message: 'its process was stopped' })
    },
  }
}

/** Rejects when the work takes longer; what it still does then is refused by `ClaimLost`. */
async function within(minutes: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${minutes} minutes`)), minutes * 60_000)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}

const passed = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
