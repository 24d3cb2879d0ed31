import { TicketStatus } from '@balcao/contract/tickets.ts'
import { given, preparedFor } from '../../../platform/postgres/prepared.ts'
import { and, eq, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { ticketCounts, tickets } from '../tickets.table.ts'
import type { Sought } from './search.queries.ts'
import {
  isVisible,
  listPlaceholders,
  type OwnerColumns,
  type Visibility,
  type VisibilityValues,
} from './visibility.queries.ts'

/** The highest count of a search: an exact one is expensive, and not needed. */
const COUNT_LIMIT = 1_000

/**
 * Counts a list up to the limit: first the tickets already found, then all that match. A list that reached the limit is
 * not counted again while its search is cached.
 */
export async function count(tx: Tx, list: string, listed: SQL | undefined, sought?: Sought) {
  if (sought?.many.has(list)) return COUNT_LIMIT
  const some = await countUpTo(tx, and(listed, sought?.some))
  if (!sought || sought.complete) return some
  const all = some === COUNT_LIMIT ? some : await countUpTo(tx, and(listed, sought.means))
  if (all === COUNT_LIMIT) sought.many.add(list)
  return all
}

export async function countUpTo(tx: Tx, filter: SQL | undefined, most = COUNT_LIMIT): Promise<number> {
  const some = tx.sql
    .select({ one: tag`1`.as('one') })
    .from(tickets)
    .where(filter)
    .limit(most)
    .as('some')
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(some)
  return row?.count ?? 0
}

/** The count of a plain list, from the counters of `ticket_counts`. */
export async function keptCount(tx: Tx, visibility: Visibility, values: VisibilityValues): Promise<number> {
  const [row] = await sumOfParts(tx.sql, visibility, values)
  return row?.count ?? 0
}

const ofCounts: OwnerColumns = {
  queueId: tag`nullif(${ticketCounts.queueId}, 0)`,
  userId: tag`nullif(${ticketCounts.userId}, 0)`,
}

const STATUSES = TicketStatus.options

/** What is snoozed is counted apart. */
function isCounted({ status, snoozed }: Visibility): SQL | undefined {
  const wanted = status ? [status] : STATUSES
  const apart = wanted.map(one => `${one}Snoozed`)
  const counted = { any: [...wanted, ...apart], only: apart, without: wanted }[snoozed]
  return counted.length === 1
    ? tag`${ticketCounts.status} = ${counted[0]}`
    : tag`${ticketCounts.status} = any(${`{${counted}}`}::text[])`
}

const sumOfParts = preparedFor((sql, visibility: Visibility) =>
  sql
    .select({ count: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)::int` })
    .from(ticketCounts)
    .where(
      and(
        eq(ticketCounts.companyId, given('companyId')),
        isCounted(visibility),
        isVisible(visibility, listPlaceholders, ofCounts),
      ),
    ),
)
