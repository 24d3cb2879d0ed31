import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { pushDeliveries } from './push.table.ts'

/** Counted at most. */
const MOST = 20_000

interface Row {
  waiting: number
  age: number
}

/** Notifications of devices that are due. */
export const pushFigures = figures(
  'push',
  {
    balcao_push_deliveries: ['Notifications of devices that are due and not delivered'],
    balcao_push_deliveries_oldest_seconds: ['Age of the oldest of them'],
  },
  async sql => {
    const [row] = await rowsFrom<Row>(
      sql,
      tag`select count(*)::int as waiting, coalesce(max(extract(epoch from now() - since)), 0)::float8 as age
        from (select ${pushDeliveries.createdAt} as since from ${pushDeliveries}
          where ${pushDeliveries.dueAt} <= now() limit ${MOST}) found`,
    )
    return [
      { metric: 'balcao_push_deliveries', value: row!.waiting },
      { metric: 'balcao_push_deliveries_oldest_seconds', value: row!.age },
    ]
  },
)
