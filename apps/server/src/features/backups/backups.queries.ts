import { LOG_STATE, type LogState, SLOTS } from '../../platform/backup/log.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, inArray, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { users } from '../users/users.table.ts'
import { backups } from './backups.table.ts'

type Row = typeof backups.$inferSelect
export type Ended = Partial<Pick<Row, 'bytes' | 'sent' | 'files' | 'found' | 'stream'>> & {
  state: Row['state']
}

/** One run of a kind at a time: what is still under way is of a process that died. Answers the id of the new run. */
export async function beginBackupRun(sql: Sql, kind: Row['kind'], place: string): Promise<number> {
  await sql
    .update(backups)
    .set({ state: 'ended', endedAt: tag`now()` })
    .where(and(eq(backups.kind, kind), eq(backups.state, 'running')))
  const [row] = await sql.insert(backups).values({ kind, place }).returning({ id: backups.id })
  return row!.id
}

export const endBackupRun = (sql: Sql, id: number, ended: Ended) =>
  sql
    .update(backups)
    .set({ ...ended, endedAt: tag`now()` })
    .where(and(eq(backups.id, id), eq(backups.state, 'running')))

/** The newest run of a kind in one of these states; null where there is none. */
export async function newestRun(sql: Sql, kind: Row['kind'], states: Row['state'][]): Promise<Row | null> {
  const [row] = await sql
    .select()
    .from(backups)
    .where(and(eq(backups.kind, kind), inArray(backups.state, states)))
    .orderBy(desc(backups.begunAt))
    .limit(1)
  return row ?? null
}

/** Drills that came to their end, and were not written about. */
export const unmailedDrills = (sql: Sql) =>
  sql
    .select()
    .from(backups)
    .where(
      and(
        eq(backups.kind, 'drill'),
        inArray(backups.state, ['verified', 'failed']),
        eq(backups.isMailed, false),
      ),
    )
    .orderBy(backups.id)
    .limit(10)

export const markMailed = (sql: Sql, id: number) =>
  sql.update(backups).set({ isMailed: true }).where(eq(backups.id, id))

/** Every master who works. */
export const mastersOf = (sql: Sql) =>
  sql
    .select({ id: users.id, companyId: users.companyId, email: users.email })
    .from(users)
    .where(and(eq(users.master, 1), isNull(users.restingSince)))
    .orderBy(users.id)
    .limit(100)

/** The streams in which the log of this database is kept for the target; none on a server of its own. */
export const streamsNow = async (sql: Sql): Promise<string[]> =>
  (
    await rowsFrom<{ stream: string }>(
      sql,
      tag`select substr(slot_name, ${SLOTS.length + 1}::int) as stream from pg_replication_slots
        where slot_name like ${`${SLOTS}%`} and restart_lsn is not null and wal_status <> 'lost'`,
    )
  ).map(({ stream }) => stream)

/**
 * Until when any moment behind the newest backup is restored; null where no log is sent. A log that began anew is of use behind the
 * next backup only.
 */
export async function logState(sql: Sql): Promise<LogState | null> {
  const rows = await rowsFrom<{ value: string }>(
    sql,
    tag`select value from settings where key = ${LOG_STATE}`,
  )
  if (!rows[0]) return null
  const state = JSON.parse(rows[0].value) as LogState
  const streams = await streamsNow(sql)
  const newest = await newestRun(sql, 'backup', ['made', 'verified'])
  const isFollowing = streams.length === 0 || (newest !== null && streams.includes(newest.stream))
  return isFollowing
    ? state
    : { covers: null, why: state.why || 'the log begins anew behind the next backup' }
}

export const runsLifetime = lifetime(backups, backups.endedAt, 400)
