import { figures } from '../../platform/observe/figures.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { inboundEvents } from './messages.log.table.ts'
import { isInOutbox, messages, wakesAt } from './messages.table.ts'

/** Counted at most: a statement of a scrape stays short, and more waiting rows raise no other alert. */
const MOST = 20_000

interface Row {
  waiting: number
  age: number
}

/** What waits to be sent, and what came and is not handled, with the age of the oldest. */
export const messageFigures = [
  figures(
    'outbox',
    {
      balcao_outbox_messages: [
        'Messages that are due and not sent, by whether their connection is connected',
        'connected',
      ],
      balcao_outbox_oldest_seconds: ['Age of the oldest of them', 'connected'],
    },
    async sql => {
      const rows = await rowsFrom<Row & { connected: boolean }>(
        sql,
        tag`select connected, count(*)::int as waiting, coalesce(max(extract(epoch from now() - since)), 0)::float8 as age
          from (select ${whatsapps.status} = 'CONNECTED' as connected,
              coalesce(${messages.dueAt}, ${messages.createdAt}) as since
            from ${messages} join ${whatsapps} on ${whatsapps.companyId} = ${messages.companyId}
              and ${whatsapps.id} = ${messages.whatsappId}
            where ${isInOutbox} and ${wakesAt(messages)} <= now() limit ${MOST}) found
          group by 1`,
      )
      return [true, false].flatMap(connected => {
        const { waiting = 0, age = 0 } = rows.find(row => row.connected === connected) ?? {}
        const labels = { connected: String(connected) }
        return [
          { metric: 'balcao_outbox_messages', value: waiting, labels },
          { metric: 'balcao_outbox_oldest_seconds', value: age, labels },
        ]
      })
    },
  ),
  figures(
    'inbound',
    {
      balcao_inbound_events: ['Received events that are not handled'],
      balcao_inbound_oldest_seconds: ['Age of the oldest of them'],
    },
    async sql => {
      const [row] = await rowsFrom<Row>(
        sql,
        tag`select count(*)::int as waiting, coalesce(max(extract(epoch from now() - since)), 0)::float8 as age
          from (select ${inboundEvents.receivedAt} as since from ${inboundEvents}
            where ${inboundEvents.handledAt} is null limit ${MOST}) found`,
      )
      return [
        { metric: 'balcao_inbound_events', value: row!.waiting },
        { metric: 'balcao_inbound_oldest_seconds', value: row!.age },
      ]
    },
  ),
]
