import { given, preparedFor } from '../../platform/db.prepared.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { inSight, type Placed, places, type Sight, type SightValues } from './tickets.sight.ts'
import { ticketCounts, tickets } from './tickets.table.ts'
import type { Sought } from './tickets.words.ts'

/** Counting further than this would cost more than anybody reads. */
const COUNT_LIMIT = 1_000

/**
 * Counts no further than the limit; where some of the finds reach it, the others need not be looked for, and the same
 * list is not counted again while its word is known to be common.
 */
export async function count(tx: Tx, list: string, place: SQL | undefined, sought?: Sought) {
  if (sought?.many.has(list)) return COUNT_LIMIT
  const some = await countUpTo(tx, and(place, sought?.some))
  if (!sought || sought.complete) return some
  const all = some === COUNT_LIMIT ? some : await countUpTo(tx, and(place, sought.means))
  if (all === COUNT_LIMIT) sought.many.add(list)
  return all
}

/** How many tickets there are, no further than that. */
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

/** Counters kept with every move answer for the plain lists. */
export async function kept(tx: Tx, sight: Sight, values: SightValues): Promise<number> {
  const [row] = await keptCount(tx.sql, sight, values)
  return row?.count ?? 0
}

const ofCounts: Placed = {
  queueId: tag`nullif(${ticketCounts.queueId}, 0)`,
  userId: tag`nullif(${ticketCounts.userId}, 0)`,
}

const keptCount = preparedFor((sql, sight: Sight) =>
  sql
    .select({ count: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)::int` })
    .from(ticketCounts)
    .where(
      and(
        eq(ticketCounts.companyId, given('companyId')),
        sight.status ? eq(ticketCounts.status, sight.status) : undefined,
        inSight(sight, places, ofCounts),
      ),
    ),
)
