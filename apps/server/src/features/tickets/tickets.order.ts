import type { TicketSort } from '@balcao/contract/tickets.ts'
import { asc, desc, type SQL, sql as tag } from '../../platform/sql.ts'
import { tickets } from './tickets.table.ts'

/** Where a row stands in the order of its list. */
export interface Position {
  updatedAt: string
  /** Since when the customer waits, as PostgreSQL writes it; infinity for who does not. */
  waits: string
  id: number
}

export const waits = tag<string>`coalesce(${tickets.waitingSince}, 'infinity'::timestamptz)`
export const position = { id: tickets.id, updatedAt: tickets.updatedAt, waits: waits.as('waits') }

export const orders: Record<TicketSort, SQL[]> = {
  newest: [desc(tickets.updatedAt), desc(tickets.id)],
  waiting: [asc(waits), asc(tickets.updatedAt), asc(tickets.id)],
}

/** What stands behind a row in its order. */
export const behind: Record<TicketSort, (last: Record<keyof Position, unknown>) => SQL> = {
  newest: ({ updatedAt, id }) =>
    tag`(${tickets.updatedAt}, ${tickets.id}) < (${updatedAt}::timestamptz, ${id}::int)`,
  waiting: ({ waits: since, updatedAt, id }) =>
    tag`(${waits}, ${tickets.updatedAt}, ${tickets.id}) > (${since}::timestamptz, ${updatedAt}::timestamptz, ${id}::int)`,
}
