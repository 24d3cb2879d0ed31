import { figures } from '../../platform/observe/figures.ts'
import { and, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { webhookDeliveries, webhooks } from './webhooks.table.ts'

/** Counted at most. */
const MOST = 20_000

interface Row {
  waiting: number
  age: number
}

/** Deliveries that are due, of webhooks that are switched on. */
export const webhookFigures = figures(
  'webhooks',
  {
    balcao_webhook_deliveries: ['Deliveries of webhooks that are due and not made'],
    balcao_webhook_deliveries_oldest_seconds: ['Age of the oldest of them'],
  },
  async sql => {
    const isOfActive = tag`exists (select from ${webhooks} where ${webhooks.companyId} = ${webhookDeliveries.companyId}
      and ${webhooks.id} = ${webhookDeliveries.webhookId} and ${webhooks.isActive})`
    const [row] = await rowsFrom<Row>(
      sql,
      tag`select count(*)::int as waiting, coalesce(max(extract(epoch from now() - since)), 0)::float8 as age
        from (select ${webhookDeliveries.createdAt} as since from ${webhookDeliveries}
          where ${and(tag`${webhookDeliveries.dueAt} <= now()`, isOfActive)} limit ${MOST}) found`,
    )
    return [
      { metric: 'balcao_webhook_deliveries', value: row!.waiting },
      { metric: 'balcao_webhook_deliveries_oldest_seconds', value: row!.age },
    ]
  },
)
