import type { JobQueue } from '@balcao/contract/systemControl.ts'
import { fromDrizzle, PgBoss, type Job as Task } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database, Sql } from './db.ts'
import type { Files } from './files.ts'
import type { Mail } from './mail.ts'
import { type Scope, type Scopes, TENANT_ROLE, type Tx } from './scope.ts'
import { rowsFrom, sql as tag } from './sql.ts'
import { newTrace, traced, traceNow } from './trace.ts'

/** What jobs may use besides the database. */
export interface Tools {
  config: Config
  files: Files
  mail: Mail
}

/** Work that must happen even if the process dies: it commits with the row it belongs to. */
export interface Job<Data extends object> {
  name: string
  /** Minutes, hours and days of a recurring job in UTC; recurring jobs run without a company, and once after downtime. */
  cron?: string
  retries: number
  /** Seconds before it is tried again the first time; then twice as long, and so on, drawn from up to twice that. */
  retryDelay: number
  /** So many of them are done side by side, each with an end of its own. */
  atOnce: number
  run(scope: Scope, data: Data, tools: Tools): Promise<void>
}

/** A job of one company. `run` may be called twice for the same data: it must be idempotent. */
export const job = <Data extends object>(
  name: string,
  run: Job<Data>['run'],
  {
    retries = 5,
    retryDelay = 1,
    atOnce = 1,
  }: { retries?: number; retryDelay?: number; atOnce?: number } = {},
): Job<Data> => ({ name, run, retries, retryDelay, atOnce })

/** No company has this number: whose job it is belongs to none, or nobody may see to which. */
export const NO_COMPANY = 0

/** Work of the whole platform on a clock. */
export interface Chore {
  name: string
  cron: string
  run(scopes: Scopes, config: Config, tools: Tools): Promise<void>
}

export const chore = (name: string, cron: string, run: Chore['run']): Chore => ({ name, cron, run })

/** Any number that no other lock of the house has. */
const LOCK = 7_262_453

const OWN = `(data->>''companyId'')::int = (select current_setting(''app.company_id'')::int)`

/** A company's transaction adds jobs of its own company; it reads none, and changes none. */
const WALL = `
  revoke all on all tables in schema pgboss from ${TENANT_ROLE};
  grant usage on schema pgboss to ${TENANT_ROLE};
  grant select on pgboss.queue to ${TENANT_ROLE};
  do $$ declare jobs regclass; begin
    for jobs in select 'pgboss.job'::regclass union
      select inhrelid::regclass from pg_inherits where inhparent = 'pgboss.job'::regclass
    loop
      execute format('grant insert, select (id, start_after) on %s to ${TENANT_ROLE}', jobs);
      if not exists (select from pg_policy where polrelid = jobs and polname = 'own_company') then
        execute format('alter table %s enable row level security', jobs);
        execute format('create policy own_company on %s to ${TENANT_ROLE} using (${OWN}) with check (${OWN})', jobs);
      end if;
    end loop;
  end $$;`

type Standing = Omit<JobQueue, 'oldestAt'> & { oldestAt: string | null }

const STANDING = tag`
  select q.name,
    (count(*) filter (where j.state < 'active' and j.start_after <= now()))::int as waiting,
    (count(*) filter (where j.state < 'active' and j.start_after > now()))::int as deferred,
    (count(*) filter (where j.state = 'active'))::int as active,
    (count(*) filter (where j.state = 'failed'))::int as failed,
    min(j.start_after) filter (where j.state < 'active' and j.start_after <= now()) as "oldestAt"
  from pgboss.queue q left join pgboss.job j on j.name = q.name and j.state <> 'completed'
  where q.name not like '\\_\\_%'
  group by q.name order by q.name`

/** A job as the queue keeps it; moments are milliseconds since 1970. */
export interface KeptJob<Data extends object> {
  id: string
  data: Data
  createdAt: number
  startedAt: number | null
  /** When it was done, or given up. */
  endedAt: number | null
  failure: string | null
  tries: number
  triesAllowed: number
}

const msOf = (column: string) => tag.raw(`round(extract(epoch from ${column}) * 1000)::float8`)

/** A try that is under way counts as one; why the last one failed is kept until another succeeds. */
const KEPT = tag`
  select id, data->'data' as data, ${msOf('created_on')} as "createdAt", ${msOf('started_on')} as "startedAt",
    ${msOf('completed_on')} as "endedAt", output->>'message' as failure, retry_limit + 1 as "triesAllowed",
    retry_count + case when started_on is null then 0 else 1 end as tries
  from pgboss.job`

/** So many that failed are tried again by one call. */
const RETRIED_AT_ONCE = 10_000

type Envelope = { companyId: number; data: object; trace?: string }

/** Opens the job store. Queues are made at start: inside PGlite a queue unknown to the cache would wait for ever. */
export async function openJobs(deps: { database: Database; log: Logger; working: boolean }) {
  const { database, log, working } = deps
  const boss = new PgBoss({
    ...database.jobs,
    schema: 'pgboss',
    supervise: working,
    schedule: working,
    migrate: true,
  })
  boss.on('error', failure => log.error({ err: asError(failure) }, 'jobs'))

  async function start(
    jobs: Job<object>[],
    chores: Chore[],
    { scopes, config, files, mail }: { scopes: Scopes } & Tools,
  ) {
    const tools = { config, files, mail }
    await boss.start()
    for (const { name, retries, retryDelay } of jobs) await declare(name, retries, retryDelay)
    for (const { name } of chores) await declare(name, 2)
    // Processes that start together grant one after the other: PostgreSQL refuses two at once.
    await database.script(`select pg_advisory_xact_lock(${LOCK}); ${WALL}`)
    if (!working) return
    for (const { name, run, atOnce } of jobs) {
      const one = ({ id, data: { companyId, data, trace } }: Task<Envelope>) =>
        logged(name, id, trace, () => run(scopes.inCompany(companyId, null, id), data, tools)).then(
          () => ({ id, status: 'completed' as const }),
          (error: unknown) => ({ id, status: 'failed' as const, output: { message: String(error) } }),
        )
      const how = { pollingIntervalSeconds: 1, batchSize: atOnce, perJobResults: true as const }
      await boss.work<Envelope>(name, how, async tasks => Promise.all(tasks.map(one)))
    }
    for (const { name, cron, run } of chores) {
      // What fell due while nothing ran is done once, however often it was: a chore does what is due.
      await boss.schedule(name, cron, null, { missed: 'once' })
      await boss.work(name, async ([task]) =>
        logged(name, task?.id, undefined, () => run(scopes, config, tools)),
      )
    }
  }

  /** Under the trace of what asked for it. pg-boss keeps why a job failed, and says nothing. */
  function logged(job: string, id: string | undefined, trace: string | undefined, work: () => Promise<void>) {
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

  const declare = async (name: string, retries: number, retryDelay = 1) => {
    const options = { retryLimit: retries, retryBackoff: true, retryDelay }
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options)
  }

  async function enqueue(
    sql: Sql,
    companyId: number,
    job: Job<object>,
    data: object,
    options: Parameters<Tx['enqueue']>[2] = {},
  ) {
    const { after, key, id } = options
    const trace = traceNow()
    const envelope: Envelope = { companyId, data, ...(trace && { trace }) }
    await boss.send(job.name, envelope, {
      db: fromDrizzle(sql as never, tag as never),
      ...(after !== undefined && { startAfter: after }),
      ...(key !== undefined && { singletonKey: key }),
      ...(id !== undefined && { id }),
    })
  }

  /** What waits and failed of each kind of work, all companies together. */
  const standing = () =>
    database.transaction('', async sql => {
      const rows = await rowsFrom<Standing>(sql, STANDING)
      return rows.map(({ oldestAt, ...row }) => ({
        ...row,
        oldestAt: oldestAt && new Date(oldestAt).toISOString(),
      }))
    })

  /** Everything that failed of one kind is tried again, with all its tries. Answers how many. */
  async function retryFailed(name: string): Promise<number> {
    const failed = await database.transaction('', async sql => {
      const rows = await rowsFrom<{ id: string }>(
        sql,
        tag`select id from pgboss.job where name = ${name} and state = 'failed' limit ${RETRIED_AT_ONCE}`,
      )
      return rows.map(({ id }) => id)
    })
    if (failed.length > 0) await boss.retry(name, failed)
    return failed.length
  }

  const whose = (companyId: number, name: string, id?: string) =>
    tag`name = ${name} and (data->>'companyId')::int = ${companyId} ${id ? tag`and id = ${id}` : tag``}`

  /** What a company has in the queue of one kind, or the one that is named; the newest first. */
  const ofCompany = <Data extends object>(
    companyId: number,
    { name }: Job<Data>,
    most: number,
    id?: string,
  ): Promise<KeptJob<Data>[]> =>
    database.transaction('', sql => {
      const newest = tag`order by created_on desc, id limit ${most}`
      return rowsFrom<KeptJob<Data>>(sql, tag`${KEPT} where ${whose(companyId, name, id)} ${newest}`)
    })

  /** Takes them out of the queue, done or not. Answers how many. */
  const dropOfCompany = (
    companyId: number,
    { name }: Pick<Job<object>, 'name'>,
    id?: string,
  ): Promise<number> =>
    database.transaction('', async sql => {
      const gone = tag`delete from pgboss.job where ${whose(companyId, name, id)} returning id`
      return (await rowsFrom(sql, gone)).length
    })

  return {
    start,
    enqueue,
    standing,
    retryFailed,
    ofCompany,
    dropOfCompany,
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
export type Jobs = Awaited<ReturnType<typeof openJobs>>

/** pg-boss tells copies of errors, each with the name of the worker that met it: one outage would be as many failures. */
function asError(failure: Error): Error {
  const { message, stack, ...facts } = failure
  const whose = / \(Queue: [^()]*\)$/
  return Object.assign(new Error(message.replace(whose, '')), facts, { stack })
}
