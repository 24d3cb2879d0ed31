import { and, eq, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { users } from '../../users/users.table.ts'
import { ticketCounts } from '../tickets.table.ts'

/** Every user of the company with the number of open tickets. */
export const openTicketsByUser = (tx: Tx): Promise<{ userId: number; openTickets: number }[]> =>
  tx.sql
    .select({
      userId: users.id,
      openTickets: tag<number>`coalesce(sum(${ticketCounts.tickets}), 0)::int`,
    })
    .from(users)
    .leftJoin(
      ticketCounts,
      and(
        eq(ticketCounts.companyId, users.companyId),
        eq(ticketCounts.userId, users.id),
        eq(ticketCounts.status, 'open'),
      ),
    )
    .where(eq(users.companyId, tx.companyId))
    .groupBy(users.id)
