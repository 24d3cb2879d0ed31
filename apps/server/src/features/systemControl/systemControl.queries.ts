import type { ProcessData } from '@balcao/contract/systemControl.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, eq, lt, ne, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { processes } from './systemControl.table.ts'

/** A process beats every five seconds. */
const DEAD_AFTER = tag`interval '20 seconds'`

/** The instance of a name whose process ended in order. */
const ENDED = ''

/** Every process of the last day by its name, with the connections that it runs. */
export async function listProcesses(sql: Sql): Promise<ProcessData[]> {
  const rows = await sql
    .select({
      name: processes.name,
      cpu: processes.cpu,
      memory: processes.memory,
      startedAt: processes.startedAt,
      restarts: processes.restarts,
      pid: processes.pid,
      version: processes.version,
      eventLoopDelay: processes.eventLoopDelay,
      beatAt: processes.beatAt,
      isAlive: tag<boolean>`${processes.beatAt} > now() - ${DEAD_AFTER}`,
      sessions: tag<number>`(select count(*)::int from whatsapp_leases l
        where l.owner = ${processes.instance} and l.expires_at > now())`,
    })
    .from(processes)
    .where(ne(processes.instance, ENDED))
    .orderBy(asc(processes.name))
  return rows.map(({ cpu, memory, startedAt, restarts, eventLoopDelay, ...row }) => ({
    ...row,
    monit: { cpu: tenths(cpu), memory },
    pm_uptime: Date.parse(startedAt),
    restart_time: restarts,
    eventLoopDelay: tenths(eventLoopDelay),
  }))
}

const tenths = (value: number) => Math.round(value * 10) / 10

export interface ProcessSelf {
  name: string
  instance: string
}

export interface ProcessMeasures {
  cpu: number
  memory: number
  eventLoopDelay: number
}

const itself = ({ name, instance }: ProcessSelf) =>
  and(eq(processes.name, name), eq(processes.instance, instance))

/** The process of a name, locked; null where there is none. */
export async function lockProcess(sql: Sql, name: string) {
  const [row] = await sql
    .select({
      isEnded: tag<boolean>`${processes.instance} = ${ENDED}`,
      host: processes.host,
      pid: processes.pid,
      isMissed: processes.isMissed,
      isLate: tag<boolean>`${processes.beatAt} < now() - ${DEAD_AFTER}`,
    })
    .from(processes)
    .where(eq(processes.name, name))
    .for('update')
  return row ?? null
}

/** Inserts the row, or replaces the one that `isKnown`; false where another process was faster. */
export async function replaceProcess(
  sql: Sql,
  fresh: typeof processes.$inferInsert,
  { isKnown }: { isKnown: boolean },
): Promise<boolean> {
  const written = await sql
    .insert(processes)
    .values(fresh)
    .onConflictDoUpdate({
      target: processes.name,
      set: { ...fresh, restarts: tag`${processes.restarts} + (${processes.instance} <> ${ENDED})::int` },
      setWhere: isKnown ? tag`true` : tag`false`,
    })
    .returning({ name: processes.name })
  return written.length > 0
}

export const endProcess = (sql: Sql, self: ProcessSelf) =>
  sql.update(processes).set({ instance: ENDED }).where(itself(self))

/** After this time without a heartbeat a process is not listed any more. */
const FORGOTTEN_AFTER = tag`interval '1 day'`

export async function writeBeat(sql: Sql, self: ProcessSelf, measures: ProcessMeasures): Promise<void> {
  await sql
    .update(processes)
    .set({ ...measures, beatAt: tag`now()`, isMissed: false })
    .where(itself(self))
  await sql.delete(processes).where(lt(processes.beatAt, tag`now() - ${FORGOTTEN_AFTER}`))
}

/** True when a process is found dead for the first time: exactly one process finds it. */
export async function markDead(sql: Sql): Promise<boolean> {
  const found = await sql
    .update(processes)
    .set({ isMissed: true })
    .where(
      and(
        eq(processes.isMissed, false),
        ne(processes.instance, ENDED),
        lt(processes.beatAt, tag`now() - ${DEAD_AFTER}`),
      ),
    )
    .returning({ name: processes.name })
  return found.length > 0
}

/** The names of running processes that seal with another secret than this. */
export const processesWithOther = (sql: Sql, keyId: string) =>
  sql
    .select({ name: processes.name })
    .from(processes)
    .where(
      and(
        ne(processes.keyId, keyId),
        ne(processes.instance, ENDED),
        tag`${processes.beatAt} > now() - ${DEAD_AFTER}`,
      ),
    )
    .orderBy(asc(processes.name))

export async function databaseVersion(sql: Sql): Promise<string> {
  const rows = await rowsFrom<{ version: string }>(
    sql,
    tag`select current_setting('server_version') as version`,
  )
  return rows[0]!.version
}

/**
 * Each recount is one statement, which reads rows and counters of the same moment: concurrent changes count for themselves.
 * It answers how many counters were wrong.
 */
export const recountTickets = (sql: Sql) => countRows(sql, TICKET_COUNTS)
export const recountContacts = (sql: Sql) => countRows(sql, CONTACT_COUNTS)
export const recountUnread = (sql: Sql) => countRows(sql, UNREAD)

const countRows = async (sql: Sql, statement: SQL) => (await rowsFrom<unknown>(sql, statement)).length

const TICKET_COUNTS = tag`
  insert into ticket_counts (company_id, status, queue_id, user_id, tickets)
  select company_id, status, queue_id, user_id, sum(step)::int from (
    select company_id, case when snoozed_until is null then status else status || 'Snoozed' end as status,
      coalesce(queue_id, 0) as queue_id, coalesce(user_id, 0) as user_id, 1 as step from tickets
    union all
    select company_id, status, queue_id, user_id, -tickets from ticket_counts
  ) as both_sides group by 1, 2, 3, 4 having sum(step) <> 0
  returning 1`

const CONTACT_COUNTS = tag`
  insert into contact_counts (company_id, contacts)
  select company_id, sum(step)::int from (
    select company_id, 1 as step from contacts union all select company_id, -contacts from contact_counts
  ) as both_sides group by 1 having sum(step) <> 0
  returning 1`

/** Unread counters are at most the number of unread messages. */
const UNREAD = tag`
  update tickets t set unread_messages = least(t.unread_messages, c.waiting), version = t.version + 1
  from (
    select t.company_id, t.id, (
      select count(*)::int from messages m
      where m.company_id = t.company_id and m.ticket_id = t.id and not m.from_me and not m.read
    ) as waiting
    from tickets t where t.unread_messages > 0
  ) as c
  where c.company_id = t.company_id and c.id = t.id and t.unread_messages > c.waiting
  returning 1`
