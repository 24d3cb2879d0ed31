import type { Sql } from '../../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'

/** Before every look: nothing can be written, and whoever works does not wait for it. */
export const LOOKING = `set transaction read only; set local statement_timeout = 10000; set local lock_timeout = 1000`

export interface Settings {
  version: number
  shown: string
  maxConnections: number
  connections: number
  autovacuum: boolean
  /** Transactions until the oldest row has to be frozen. */
  oldest: number
  bytes: number
  hasStatements: boolean
}

export async function serverSettings(sql: Sql): Promise<Settings> {
  const [row] = await rowsFrom<Settings>(
    sql,
    tag`select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
      current_setting('max_connections')::int as "maxConnections", current_setting('autovacuum')::bool as autovacuum,
      (select sum(numbackends)::int from pg_stat_database) as connections,
      (select age(datfrozenxid)::int from pg_database where datname = current_database()) as oldest,
      pg_database_size(current_database())::float8 as bytes,
      exists (select from pg_extension where extname = 'pg_stat_statements') as "hasStatements"`,
  )
  return row!
}

/** The names of the migrations that were applied; null before the first start. */
export async function appliedMigrations(sql: Sql): Promise<string[] | null> {
  const [table] = await rowsFrom<{ there: boolean }>(
    sql,
    tag`select to_regclass('public.migrations') is not null as there`,
  )
  if (!table!.there) return null
  return (await rowsFrom<{ name: string }>(sql, tag`select name from migrations order by name`)).map(
    ({ name }) => name,
  )
}

export interface TableSize {
  name: string
  rows: number
  dead: number
  changed: number
  bytes: number
  /** Since it was last vacuumed and analyzed (s); null for never. */
  vacuumed: number | null
  analyzed: number | null
}

/** As the database counts; the largest first. */
export const tableSizes = (sql: Sql): Promise<TableSize[]> =>
  rowsFrom<TableSize>(
    sql,
    tag`select relname as name, n_live_tup::float8 as rows, n_dead_tup::float8 as dead,
      n_mod_since_analyze::float8 as changed, pg_total_relation_size(relid)::float8 as bytes,
      extract(epoch from now() - greatest(last_vacuum, last_autovacuum))::float8 as vacuumed,
      extract(epoch from now() - greatest(last_analyze, last_autoanalyze))::float8 as analyzed
      from pg_stat_user_tables where schemaname in ('public', 'pgboss') order by 5 desc, 1`,
  )

export interface IndexState {
  name: string
  isValid: boolean
  /** Being built now. */
  isBuilt: boolean
  bytes: number
  scans: number
}

export const indexStates = (sql: Sql): Promise<IndexState[]> =>
  rowsFrom<IndexState>(
    sql,
    tag`select c.relname as name, i.indisvalid as "isValid", pg_relation_size(c.oid)::float8 as bytes,
      coalesce(s.idx_scan, 0)::float8 as scans,
      exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid) as "isBuilt"
      from pg_index i join pg_class c on c.oid = i.indexrelid
      left join pg_stat_user_indexes s on s.indexrelid = c.oid
      where c.relnamespace = 'public'::regnamespace order by 1`,
  )

export interface WaitingSession {
  pid: number
  kind: 'lock' | 'idle'
  seconds: number
  blockers: number[]
}

/** Statements that have waited for a lock for five seconds, and transactions that do nothing for five minutes. */
export const waitingSessions = (sql: Sql): Promise<WaitingSession[]> =>
  rowsFrom<WaitingSession>(
    sql,
    tag`select pid, 'lock' as kind, extract(epoch from clock_timestamp() - query_start)::float8 as seconds,
        pg_blocking_pids(pid) as blockers
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query_start < clock_timestamp() - interval '5 seconds'
      union all
      select pid, 'idle', extract(epoch from clock_timestamp() - state_change)::float8, '{}'
      from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
        and state_change < clock_timestamp() - interval '5 minutes'
      order by 3 desc limit 50`,
  )

export interface StatementCost {
  /** Without values: PostgreSQL replaces them by `$1`. */
  query: string
  calls: number
  /** Milliseconds. */
  mean: number
  total: number
}

/** What took most of the database's time, as far as the extension is there and may be read. Statements with values are left out. */
export const costlyStatements = (sql: Sql): Promise<StatementCost[]> =>
  rowsFrom<StatementCost>(
    sql,
    tag`select left(query, 4000) as query, calls::float8 as calls, mean_exec_time as mean, total_exec_time as total
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query ~* '^\\s*(select|insert|update|delete|with)\\y'
      order by total_exec_time desc limit 200`,
  )
