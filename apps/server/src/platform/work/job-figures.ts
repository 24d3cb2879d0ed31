import { databaseNow } from '../clock.ts'
import { figures } from '../observe/figures.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'
import { countedQueues } from './job-rows.ts'

const STATES = ['waiting', 'deferred', 'active', 'failed'] as const

/** Jobs of each queue, of all companies together. */
export const jobFigures = figures(
  'jobs',
  {
    balcao_jobs: ['Jobs by queue and state: waiting, deferred, active, failed', 'queue', 'state'],
    balcao_jobs_oldest_seconds: ['Age of the oldest job that waits, by queue', 'queue'],
  },
  async sql => {
    const queues = await countedQueues(sql)
    return queues.flatMap(({ name: queue, oldestAt, ...counts }) => [
      ...STATES.map(state => ({ metric: 'balcao_jobs', value: counts[state], labels: { queue, state } })),
      {
        metric: 'balcao_jobs_oldest_seconds',
        value: oldestAt ? Math.max(0, (databaseNow() - Date.parse(oldestAt)) / 1_000) : 0,
        labels: { queue },
      },
    ])
  },
)

/** When each chore ended last, as long as pg-boss keeps its job (a week). */
export const choreFigures = figures(
  'chores',
  {
    balcao_chore_last_success_timestamp_seconds: [
      'When a chore last ended without a failure, by chore',
      'chore',
    ],
  },
  async sql => {
    const rows = await rowsFrom<{ chore: string; at: number }>(
      sql,
      tag`select name as chore, extract(epoch from max(completed_on))::float8 as at from pgboss.job
        where state = 'completed' and name in (select name from pgboss.schedule) group by name`,
    )
    return rows.map(({ chore, at }) => ({
      metric: 'balcao_chore_last_success_timestamp_seconds',
      value: at,
      labels: { chore },
    }))
  },
)
