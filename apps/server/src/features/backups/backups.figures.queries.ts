import { SLOTS } from '../../platform/backup/log.ts'
import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { logState } from './backups.queries.ts'
import { backups } from './backups.table.ts'

const of = (kind: string, ...states: string[]) =>
  tag`${backups.kind} = ${kind} and ${backups.state} in (${tag.join(
    states.map(state => tag`${state}`),
    tag`, `,
  )})`

interface Row {
  made: number | null
  verified: number | null
  drilled: number | null
  bytes: number | null
  failed: number
  behind: number | null
}

/** What is not known yet has no value: an alert on the age is silent until there was one. */
export const backupFigures = figures(
  'backups',
  {
    balcao_backup_timestamp_seconds: [
      'When the newest sealed backup was begun (made), the newest that was restored once (verified), the newest drill that succeeded (drilled), and until when the log of the embedded database is sent (log)',
      'what',
    ],
    balcao_backup_bytes: ['Size of the newest sealed backup'],
    balcao_backup_failed: ['Whether the newest run failed (1), by kind: backup, drill, log', 'kind'],
    balcao_backup_log_behind_bytes: ['Log of the embedded database that is kept until it is sent'],
  },
  async sql => {
    const rows = await rowsFrom<Row>(
      sql,
      tag`select
        extract(epoch from max(${backups.begunAt}) filter (where ${of('backup', 'made', 'verified')}))::float8 as made,
        extract(epoch from max(${backups.begunAt}) filter (where ${of('backup', 'verified')}))::float8 as verified,
        extract(epoch from max(${backups.begunAt}) filter (where ${of('drill', 'verified')}))::float8 as drilled,
        (array_agg(${backups.bytes} order by ${backups.id} desc) filter (where ${of('backup', 'made', 'verified')}))[1]::float8 as bytes,
        (select pg_wal_lsn_diff(pg_current_wal_lsn(), min(restart_lsn))::float8 from pg_replication_slots
          where slot_name like ${`${SLOTS}%`}) as behind
        from ${backups}`,
    )
    const newest = await rowsFrom<{ kind: string; failed: number }>(
      sql,
      tag`select distinct on (${backups.kind}) ${backups.kind} as kind, (${backups.state} = 'failed')::int as failed
        from ${backups} where ${backups.state} not in ('running', 'ended') order by ${backups.kind}, ${backups.id} desc`,
    )
    const log = await logState(sql)
    const { made, verified, drilled, bytes, behind } = rows[0]!
    const covers = log?.covers ? Date.parse(log.covers) / 1_000 : null
    const known = (metric: string, value: number | null, labels: Record<string, string> = {}) =>
      value === null ? [] : [{ metric, value, labels }]
    return [
      ...Object.entries({ made, verified, drilled, log: covers }).flatMap(([what, at]) =>
        known('balcao_backup_timestamp_seconds', at, { what }),
      ),
      ...known('balcao_backup_bytes', bytes),
      ...newest.flatMap(({ kind, failed }) => known('balcao_backup_failed', failed, { kind })),
      ...known('balcao_backup_failed', log && Number(log.why !== ''), { kind: 'log' }),
      ...known('balcao_backup_log_behind_bytes', behind),
    ]
  },
)
