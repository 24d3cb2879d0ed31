/**
 * Jobs: work that must not be lost. A job is a row of pg-boss written in the commit that needs it (`tx.enqueue`), so it
 * happens exactly when that commit does, also after a crash; it may run twice. A chore is a job by the clock. Beside them
 * in this folder: rows of a feature that wait for their time (due.ts, due-rows.ts), leases, retries with backoff, group
 * commit, queues in memory.
 */
import { fromDrizzle, PgBoss, systemClock } from 'pg-boss'
import type { Logger } from 'pino'
import type { Secrets } from '../access/secrets.ts'
import { databaseNow } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Files } from '../files/files.ts'
import { spanned } from '../observe/spans.ts'
import { newTrace, traced, traceNow } from '../observe/trace.ts'
import type { Mail } from '../outbound/mail.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Database, Sql } from '../postgres/db.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'
import type { Scope, Scopes, Tx } from '../scope.ts'
import { giveBack, keepWorking, type Working } from './job-keeping.ts'
import { type Envelope, type WorkedQueue, workQueue } from './job-queue.ts'
import { createQueues, groupOf, scheduleChores } from './job-queues.ts'
import {
  checkClaim,
  countQueues,
  deleteJobsOfCompany,
  failedIn,
  grant,
  jobsOfCompany,
  type KeptJob,
} from './job-rows.ts'

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
  /** How many run concurrently in a process. */
  atOnce: number
  /** How many of one company among them. */
  ofOne: number
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
    atOnce = 4,
    ofOne = 1,
    minutes = 15,
    givenUp,
  }: Partial<Pick<Job<Data>, 'retries' | 'retryDelay' | 'atOnce' | 'ofOne' | 'minutes'>> & {
    givenUp?: Job<Data>['run']
  } = {},
): Job<Data> => ({
  kind: 'job',
  name,
  run,
  retries,
  retryDelay,
  atOnce,
  ofOne,
  minutes,
  ...(givenUp && { givenUp: job(`${name}.givenUp`, givenUp, { retries: 12 }) }),
})

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
  { minutes = 15 }: { minutes?: number } = {},
): Chore => ({ kind: 'chore', name, cron, run, minutes })

/** One after the other; a failure of one does not end the others. Throws an AggregateError of all failures. */
export async function eachByItself<T>(
  all: T[],
  work: (one: T) => Promise<unknown>,
  what: string,
): Promise<void> {
  const once = async (one: T) => {
    await work(one)
    return false
  }
  await inRounds(all, once, what)
}

/** The same in rounds, one piece of each: `work` answers whether more of it waits, which comes behind a piece of each other. */
export async function inRounds<T>(all: T[], work: (one: T) => Promise<boolean>, what: string): Promise<void> {
  const failures: unknown[] = []
  for (let left = all; left.length > 0; ) {
    const more: T[] = []
    for (const one of left)
      await work(one).then(
        isMore => isMore && more.push(one),
        error => failures.push(error),
      )
    left = more
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${what} failed for ${failures.length} of ${all.length}`)
}

/** The worker of a chore polls only this often, in case it was not woken: a statement for each and second is idle work. */
const SELDOM = { pollingIntervalSeconds: 60 }

export interface Jobs {
  /** Creates the tables alone, for a command. */
  make(): Promise<void>
  /** Creates the queues, and in a worker process runs their jobs. */
  start(
    jobs: Job<object>[],
    chores: Chore[],
    tools: { scopes: Scopes; isAlone: boolean } & Tools,
  ): Promise<void>
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
  const { database, log, working: works } = deps
  const boss = new PgBoss({
    ...database.jobs,
    schema: 'pgboss',
    supervise: works,
    schedule: works,
    migrate: true,
    clock: { ...systemClock, now: databaseNow },
  })
  let working: Working | undefined
  boss.on('error', failure => log.error({ err: asError(failure) }, 'jobs'))
  return {
    async make() {
      await boss.start()
      await grant(database)
      await boss.stop({ graceful: false })
    },
    async start(given, chores, { scopes, isAlone, ...tools }) {
      // the queue that another names as its dead letter is created before it
      const jobs = given.flatMap(one => (one.givenUp ? [one.givenUp, one] : [one]))
      await boss.start()
      await createQueues(boss, jobs, chores)
      await grant(database)
      if (!works) return
      if (isAlone) await giveBack(boss, database, null)
      await scheduleChores(boss, chores)
      const workers = new Map<string, string>()
      for (const one of chores) workers.set(one.name, await workChore(boss, one, scopes, tools))
      const queues = new Map(jobs.map(one => [one.name, workJob(boss, one, scopes, tools)]))
      working = keepWorking({ boss, database, log, queues, workers })
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
      await working?.stop()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

function workJob(boss: PgBoss, job: Job<object>, scopes: Scopes, tools: Tools): WorkedQueue {
  const { name, run } = job
  return workQueue(
    boss,
    job,
    ({ id, retryCount, data: { companyId, data, trace, viewer = null } }) =>
      logged(tools.log, name, id, trace, () => {
        const scope = scopes.ofJob({ companyId, viewer, requestId: id }, sql =>
          checkClaim(sql, { name, id, retryCount }),
        )
        return run(scope, data, tools)
      }),
    tools.log,
  )
}

function workChore(boss: PgBoss, { name, run }: Chore, scopes: Scopes, tools: Tools) {
  return boss.work(name, SELDOM, async ([task]) =>
    logged(tools.log, name, task?.id, undefined, () => run(scopes, tools.config, tools)),
  )
}

/** Runs under the trace of what enqueued it. pg-boss keeps why a job failed, and does not log it. */
function logged(
  log: Logger,
  job: string,
  id: string | undefined,
  trace: string | undefined,
  work: () => Promise<void>,
) {
  const run = async () => {
    log.debug({ job, id }, 'a job begins')
    try {
      await work()
      log.debug({ job, id }, 'a job ended')
    } catch (error) {
      log.warn({ err: error, job, id }, 'a job failed: it is tried again a few times')
      throw error
    }
  }
  const span = { kind: 'job' as const, name: `job ${job}`, facts: { 'balcao.job': id ?? '' } }
  return traced(trace ?? newTrace(), () => spanned(span, run))
}

async function enqueue(
  boss: PgBoss,
  ...[sql, companyId, job, data, options = {}]: Parameters<Jobs['enqueue']>
) {
  const { after, key, id, as: viewer } = options
  const trace = traceNow()
  const envelope: Envelope = { companyId, data, ...(trace && { trace }), ...(viewer && { viewer }) }
  await boss.send(job.name, envelope, {
    group: groupOf(companyId),
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
