import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { processes } from './systemControl.table.ts'

/** A process beats every five seconds. */
export const processFigures = figures(
  'processes',
  { balcao_processes: ['Processes of the last day, by whether their heartbeat is on time', 'state'] },
  async sql => {
    const [row] = await rowsFrom<{ alive: number; silent: number }>(
      sql,
      tag`select (count(*) filter (where on_time))::int as alive, (count(*) filter (where not on_time))::int as silent
        from (select ${processes.beatAt} > now() - interval '20 seconds' as on_time from ${processes}
          where ${processes.instance} <> '') found`,
    )
    return [
      { metric: 'balcao_processes', value: row!.alive, labels: { state: 'alive' } },
      { metric: 'balcao_processes', value: row!.silent, labels: { state: 'silent' } },
    ]
  },
)
