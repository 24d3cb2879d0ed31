import type { JobQueue } from '@balcao/contract/systemControl.ts'
import { wasEndedForAnother } from '../errors.ts'
import type { Database, Sql } from '../postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import { TENANT_ROLE } from '../scope.ts'

/** The key of an advisory lock; no other lock has it. */
const LOCK = 7_262_453

const OWN = `(data->>''companyId'')::int = (select current_setting(''app.company_id'')::int)`

const TRIES = 3

/**
 * A company's transaction adds jobs of its own company; it reads none, and changes none. Processes that start together
 * grant one after the other: PostgreSQL refuses concurrent grants. A deadlock with what the job store does at its start is
 * tried again.
 */
export async function grant({ script }: Pick<Database, 'script'>): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      return await script(GRANTS)
    } catch (error) {
      if (tried === TRIES || !wasEndedForAnother(error)) throw error
    }
}

const GRANTS = `
  select pg_advisory_xact_lock(${LOCK});
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

// jobs of before this version have no group
const DUE = tag`select distinct name, coalesce(group_id, data->>'companyId', '0')::int as "companyId" from pgboss.job
  where state < 'active' and not blocked and start_after <= now()`

/** The queues in which a job is due, with each company that has one there. */
export const queuesDue = (database: Database): Promise<{ name: string; companyId: number }[]> =>
  database.read('', sql => rowsFrom(sql, DUE))

/** A job, and which of its tries. */
export interface Attempt {
  name: string
  id: string
  retryCount: number
}

/** Jobs under way whose process has not reported for `seconds`; null: all jobs under way. */
export const unattended = (database: Database, seconds: number | null): Promise<Attempt[]> =>
  database.read('', sql =>
    rowsFrom(
      sql,
      // by the index of the jobs under way
      tag`select name, id, retry_count as "retryCount" from pgboss.job where state = 'active' and group_id is not null
        and (${seconds}::int is null or heartbeat_seconds is not null and heartbeat_on < now() - ${seconds}::int * interval '1 second')`,
    ),
  )

/** This try of a job is over: another process tries it, or it took too long. */
export class ClaimLost extends Error {
  constructor({ name, id }: Attempt) {
    super(`job ${id} of ${name} is not this process's any more`)
  }
}

/**
 * Before a transaction of a job: throws ClaimLost when the try is over. A process that was frozen while another took its
 * job over changes nothing more. What began before ends by the limit of an idle transaction, long before a claim does.
 */
export async function checkClaim(sql: Sql, attempt: Attempt): Promise<void> {
  const { name, id, retryCount } = attempt
  const held = await rowsFrom(
    sql,
    tag`select from pgboss.job where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount}`,
  )
  if (held.length === 0) throw new ClaimLost(attempt)
}

type QueueRow = Omit<JobQueue, 'oldestAt'> & { oldestAt: string | null }

const QUEUES = tag`
  select q.name,
    (count(*) filter (where j.state < 'active' and j.start_after <= now()))::int as waiting,
    (count(*) filter (where j.state < 'active' and j.start_after > now()))::int as deferred,
    (count(*) filter (where j.state = 'active'))::int as active,
    (count(*) filter (where j.state = 'failed'))::int as failed,
    min(j.start_after) filter (where j.state < 'active' and j.start_after <= now()) as "oldestAt"
  from pgboss.queue q left join pgboss.job j on j.name = q.name and j.state <> 'completed'
  where q.name not like '\\_\\_%'
  group by q.name order by q.name`

/** The counts of each queue, all companies together. */
export const countQueues = (database: Database): Promise<JobQueue[]> =>
  database.transaction('', countedQueues)

/** The same within a transaction. */
export async function countedQueues(sql: Sql): Promise<JobQueue[]> {
  const rows = await rowsFrom<QueueRow>(sql, QUEUES)
  return rows.map(({ oldestAt, ...row }) => ({
    ...row,
    oldestAt: oldestAt && new Date(oldestAt).toISOString(),
  }))
}

/** How many failed jobs one call retries. */
const RETRIED_AT_ONCE = 10_000

export const failedIn = (database: Database, name: string): Promise<string[]> =>
  database.transaction('', async sql => {
    const rows = await rowsFrom<{ id: string }>(
      sql,
      tag`select id from pgboss.job where name = ${name} and state = 'failed' limit ${RETRIED_AT_ONCE}`,
    )
    return rows.map(({ id }) => id)
  })

/** A job as the queue keeps it; moments are milliseconds since 1970. */
export interface KeptJob<Data extends object> {
  id: string
  data: Data
  createdAt: number
  startedAt: number | null
  /** When it completed, or was given up. */
  endedAt: number | null
  failure: string | null
  tries: number
  triesAllowed: number
}

const msOf = (column: string) => tag.raw(`round(extract(epoch from ${column}) * 1000)::float8`)

/** A try that is under way counts as one; the failure of the last one is kept until another succeeds. */
const KEPT = tag`
  select id, data->'data' as data, ${msOf('created_on')} as "createdAt", ${msOf('started_on')} as "startedAt",
    ${msOf('completed_on')} as "endedAt", output->>'message' as failure, retry_limit + 1 as "triesAllowed",
    retry_count + case when started_on is null then 0 else 1 end as tries
  from pgboss.job`

const ofCompany = (companyId: number, name: string, id?: string): SQL =>
  tag`name = ${name} and (data->>'companyId')::int = ${companyId} ${id ? tag`and id = ${id}` : tag``}`

/** The jobs of a company in one queue, or the one with this id; the newest first. */
export const jobsOfCompany = <Data extends object>(
  database: Database,
  companyId: number,
  name: string,
  most: number,
  id?: string,
): Promise<KeptJob<Data>[]> =>
  database.transaction('', sql => {
    const newest = tag`order by created_on desc, id limit ${most}`
    return rowsFrom<KeptJob<Data>>(sql, tag`${KEPT} where ${ofCompany(companyId, name, id)} ${newest}`)
  })

/** Deletes them from the queue in whatever state. Answers how many. */
export const deleteJobsOfCompany = (
  database: Database,
  companyId: number,
  name: string,
  id?: string,
): Promise<number> =>
  database.transaction('', async sql => {
    const gone = tag`delete from pgboss.job where ${ofCompany(companyId, name, id)} returning id`
    return (await rowsFrom(sql, gone)).length
  })
