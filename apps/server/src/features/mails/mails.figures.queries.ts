import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { mails } from './mails.table.ts'

interface Row {
  waiting: number
  failed: number
  age: number
}

/** Letters of the last 30 days: older rows are deleted. */
export const mailFigures = figures(
  'mails',
  {
    balcao_mails: ['Letters by state: waiting, failed within a day', 'state'],
    balcao_mails_oldest_seconds: ['Age of the oldest that waits'],
  },
  async sql => {
    const [row] = await rowsFrom<Row>(
      sql,
      tag`select (count(*) filter (where ${mails.state} = 'waiting'))::int as waiting,
        (count(*) filter (where ${mails.state} = 'failed' and ${mails.createdAt} > now() - interval '1 day'))::int as failed,
        coalesce(max(extract(epoch from now() - ${mails.createdAt})) filter (where ${mails.state} = 'waiting'), 0)::float8 as age
        from ${mails}`,
    )
    return [
      { metric: 'balcao_mails', value: row!.waiting, labels: { state: 'waiting' } },
      { metric: 'balcao_mails', value: row!.failed, labels: { state: 'failed' } },
      { metric: 'balcao_mails_oldest_seconds', value: row!.age },
    ]
  },
)
