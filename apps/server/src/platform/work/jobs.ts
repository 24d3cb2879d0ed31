/**
 * Jobs: work that must not be lost. A job is a row of pg-boss written in the commit that needs it (`tx.enqueue`), so it
 * happens exactly when that commit does, also after a crash; it may run twice. A chore is a job by the clock. Beside them
 * in this folder: rows of a feature that wait for their time (due.ts, due-rows.ts), leases, retries with backoff, group
 * commit, queues in memory.
 */
import { fromDrizzle, PgBoss, type Queue, type Job as Task } from 'pg-boss'
import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.ts'
import type { Config } from '../config.ts'
import type { Files } from '../files/files.ts'
import { whyItFailed } from '../observe/log-errors.ts'
import { newTrace, traced, traceNow } from '../observe/trace.ts'
import type { Mail } from '../outbound/mail.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Database, Sql } from '../postgres/db.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'
import type { Scope, Scopes, Tx } from '../scope.ts'
import {
  countQueues,
  deleteJobsOfCompany,
  failedIn,
  GRANTS,
  jobsOfCompany,
  type KeptJob,
  queuesDue,
} from './job-rows.ts'
import { type Repeated, repeat } from './repeat.ts'

/** What jobs may use besides the database. */
export interface Tools {
  config: Config
  files: Files
  mail: Mail
  outbound: Outbound
  secrets: Secrets
  log: Logger
  database: Pick<Database, 'url'>
}

/** Work that must happen even if the process dies: it commits with the row it belongs to. */
export interface Job<Data extends object> {
  kind: 'job'
  name: string
  /** Minutes, hours and days of a recurring job in UTC; recurring jobs run without a company, and once after downtime. */
  cron?: string
  retries: number
  /** Seconds before the first retry; the pause doubles each time, with jitter up to twice as long. */
  retryDelay: number
  /** How many run concurrently; each ends by itself. */
  atOnce: number
  /** How long it may take: then it counts as failed, and is tried again. */
  minutes: number
  run(scope: Scope, data: Data, tools: Tools): Promise<void>
  /** Runs, as a job of its own, when the last try failed or its process died: what waited for it must not wait for ever. */
  givenUp?: Job<Data>
}

/** A job of one company. `run` may be called twice for the same data: it must be idempotent. */
export const job = <Data extends object>(
  name: string,
  run: Job<Data>['run'],
  {
    retries = 5,
    retryDelay = 1,
    atOnce = 1,
    minutes = USUAL_MINUTES,
    givenUp,
  }: Partial<Pick<Job<Data>, 'retries' | 'retryDelay' | 'atOnce' | 'minutes'>> & {
    givenUp?: Job<Data>['run']
  } = {},
): Job<Data> => ({
  kind: 'job',
  name,
  run,
  retries,
  retryDelay,
  atOnce,
  minutes,
  ...(givenUp && { givenUp: job(`${name}.givenUp`, givenUp, { retries: 12 }) }),
})

/** A job that may take longer than this (minutes) reports that its process lives: else a death is noticed only at its end. */
const USUAL_MINUTES = 15
const ALIVE_SECONDS = 60

/** No company has this number: for jobs of no company, or whose company must not be visible. */
export const NO_COMPANY = 0

/** Work of the whole platform on a clock. */
export interface Chore {
  kind: 'chore'
  name: string
  cron: string
  /** How long it may take. */
  minutes: number
  run(scopes: Scopes, config: Config, tools: Tools): Promise<void>
}

export const chore = (
  name: string,
  cron: string,
  run: Chore['run'],
  { minutes = USUAL_MINUTES }: { minutes?: number } = {},
): Chore => ({ kind: 'chore', name, cron, run, minutes })

/** One after the other; a failure of one does not end the others. Throws an AggregateError of all failures. */
export async function eachByItself<T>(
  all: T[],
  work: (one: T) => Promise<unknown>,
  what: string,
): Promise<void> {
  const failures: unknown[] = []
  for (const one of all) await work(one).catch(error => failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `${what} failed for ${failures.length} of ${all.length}`)
}

/** How often (ms) all queues are checked, by one statement. */
const LOOK_MS = 1_000

/** Each worker polls only this often, in case it was not woken: a statement for each queue and second is idle work. */
const SELDOM = { pollingIntervalSeconds: 60 }

type Envelope = { companyId: number; data: object; trace?: string }

export interface Jobs {
  /** Creates the tables alone, for a command. */
  make(): Promise<void>
  /** Creates the queues, and in a worker process runs their jobs. */
  start(jobs: Job<object>[], chores: Chore[], tools: { scopes: Scopes } & Tools): Promise<void>
  /** Adds a job in the transaction of `sql`. */
  enqueue(
    sql: Sql,
    companyId: number,
    job: Job<object>,
    data: object,
    options?: Parameters<Tx['enqueue']>[2],
  ): Promise<void>
  /** The counts of each queue, all companies together. */
  queues(): ReturnType<typeof countQueues>
  /** Retries every failed job of one queue, with all its tries. Answers how many. */
  retryFailed(name: string): Promise<number>
  /** The jobs of a company in one queue, or the one with this id; the newest first. */
  ofCompany<Data extends object>(
    companyId: number,
    job: Job<Data>,
    most: number,
    id?: string,
  ): Promise<KeptJob<Data>[]>
  /** Deletes them from the queue in whatever state. Answers how many. */
  dropOfCompany(companyId: number, job: Pick<Job<object>, 'name'>, id?: string): Promise<number>
  stop(): Promise<void>
}

/** Opens the job store; it connects at `start`. */
export function openJobs(deps: { database: Database; log: Logger; working: boolean }): Jobs {
  const { database, log, working } = deps
  const boss = new PgBoss({
    ...database.jobs,
    schema: 'pgboss',
    supervise: working,
    schedule: working,
    migrate: true,
  })
  let looking: Repeated | undefined
  boss.on('error', failure => log.error({ err: asError(failure) }, 'jobs'))
  return {
    async make() {
      await boss.start()
      await database.script(GRANTS)
      await boss.stop({ graceful: false })
    },
    async start(given, chores, { scopes, ...tools }) {
      // the queue that another names as its dead letter is created before it
      const jobs = given.flatMap(one => (one.givenUp ? [one.givenUp, one] : [one]))
      await boss.start()
      await createQueues(boss, jobs, chores)
      await database.script(GRANTS)
      if (!working) return
      const workers = new Map<string, string>()
      for (const one of jobs) workers.set(one.name, await workJob(boss, one, scopes, tools))
      await scheduleChores(boss, chores)
      for (const one of chores) workers.set(one.name, await workChore(boss, one, scopes, tools))
      looking = repeat(LOOK_MS, async () => wake(boss, workers, await queuesDue(database)), log)
    },
    enqueue: (...given) => enqueue(boss, ...given),
    queues: () => countQueues(database),
    async retryFailed(name) {
      const failed = await failedIn(database, name)
      if (failed.length > 0) await boss.retry(name, failed)
      return failed.length
    },
    ofCompany: (companyId, { name }, most, id) => jobsOfCompany(database, companyId, name, most, id),
    dropOfCompany: (companyId, { name }, id) => deleteJobsOfCompany(database, companyId, name, id),
    async stop() {
      await looking?.stop()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

/** Creates queues that are missing, and changes those that were created otherwise. */
async function createQueues(boss: PgBoss, jobs: Job<object>[], chores: Chore[]) {
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
      ...(minutes > USUAL_MINUTES && { heartbeatSeconds: ALIVE_SECONDS }),
      ...(givenUp && { deadLetter: givenUp.name }),
    })
  for (const { name, minutes } of chores) await create(name, 2, { expireInSeconds: minutes * 60 })
}

/** Answers the id of the worker. */
function workJob(boss: PgBoss, { name, run, atOnce }: Job<object>, scopes: Scopes, tools: Tools) {
  const one = ({ id, data: { companyId, data, trace } }: Task<Envelope>) =>
    logged(tools.log, name, id, trace, () => run(scopes.inCompany(companyId, null, id), data, tools)).then(
      () => ({ id, status: 'completed' as const }),
      (error: unknown) => ({ id, status: 'failed' as const, output: { message: whyItFailed(error) } }),
    )
  const how = { ...SELDOM, batchSize: atOnce, perJobResults: true as const }
  return boss.work<Envelope>(name, how, async tasks => Promise.all(tasks.map(one)))
}

/** A chore that was due during downtime runs once, however often it was due. */
async function scheduleChores(boss: PgBoss, chores: Chore[]) {
  const known = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule]))
  for (const { name, cron } of chores) {
    const schedule = known.get(name)
    if (schedule?.cron !== cron || schedule.options?.missed !== 'once')
      await boss.schedule(name, cron, null, { missed: 'once' })
  }
}

function workChore(boss: PgBoss, { name, run }: Chore, scopes: Scopes, tools: Tools) {
  return boss.work(name, SELDOM, async ([task]) =>
    logged(tools.log, name, task?.id, undefined, () => run(scopes, tools.config, tools)),
  )
}

function wake(boss: PgBoss, workers: Map<string, string>, due: string[]) {
  for (const name of due) {
    const worker = workers.get(name)
    if (worker) boss.notifyWorker(worker)
  }
}

/** Runs under the trace of what enqueued it. pg-boss keeps why a job failed, and does not log it. */
function logged(
  log: Logger,
  job: string,
  id: string | undefined,
  trace: string | undefined,
  work: () => Promise<void>,
) {
  return traced(trace ?? newTrace(), async () => {
    log.debug({ job, id }, 'a job begins')
    try {
      await work()
      log.debug({ job, id }, 'a job ended')
    } catch (error) {
      log.warn({ err: error, job, id }, 'a job failed: it is tried again a few times')
      throw error
    }
  })
}

async function enqueue(
  boss: PgBoss,
  ...[sql, companyId, job, data, options = {}]: Parameters<Jobs['enqueue']>
) {
  const { after, key, id } = options
  const trace = traceNow()
  const envelope: Envelope = { companyId, data, ...(trace && { trace }) }
  await boss.send(job.name, envelope, {
    db: fromDrizzle({ execute: async made => ({ rows: await rowsFrom(sql, tag`${made}`) }) }, tag),
    ...(after !== undefined && { startAfter: after }),
    ...(key !== undefined && { singletonKey: key }),
    ...(id !== undefined && { id }),
  })
}

/** pg-boss reports copies of errors, each with the name of the worker that met it: one outage would be as many failures. */
function asError(failure: Error): Error {
  const { message, stack, ...facts } = failure
  const whose = / \(Queue: [^()]*\)$/
  return Object.assign(new Error(message.replace(whose, '')), facts, { stack })
}
