import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import { refuse } from '../../../platform/errors.ts'
import { and, desc, eq, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { closingReasons } from '../../closingReasons/closingReasons.table.ts'
import { queues } from '../../queues/queues.table.ts'
import { formerUsers, users } from '../../users/users.table.ts'
import { findTicket } from '../tickets.queries.ts'
import { ticketHistory, tickets } from '../tickets.table.ts'

/** More than any conversation has. */
const MOST = 500

/**
 * The history of the tickets that the conversation of this one shows, oldest first. Refuses with ERR_NO_TICKET_FOUND,
 * and with ERR_NO_PERMISSION for a pending ticket that the caller may not read.
 */
export const storyOf = (scope: Scope, ticketId: number): Promise<{ events: TicketEvent[] }> =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    const ticket = await findTicket(tx, ticketId)
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    const ofContact = eq(tickets.contactId, ticket.contactId)
    const inTicket = eq(tickets.id, ticketId)
    const shown: Record<0 | 1 | 2, SQL | undefined> = {
      0: ofContact,
      1: and(ofContact, tag`(${inTicket} or ${tickets.userId} = ${viewer.id})`),
      2: inTicket,
    }
    const rows = await selectStory(tx, shown[viewer.authorization.viewMessagesByTicket])
    return { events: rows.reverse() }
  })

const by = alias(users, 'by')

/** A user by id and name; one that was deleted keeps the name, where it was kept (empty: deleted before names were kept). */
const personOf = (id: PgColumn, name: PgColumn) =>
  tag<
    TicketEvent['by']
  >`case when ${id} is not null then json_build_object('id', ${id}, 'name', coalesce(${name},
    (select f.name from ${formerUsers} f where f.company_id = ${ticketHistory.companyId} and f.id = ${id}), '')) end`

const selectStory = (tx: Tx, shown: SQL | undefined): Promise<TicketEvent[]> =>
  tx.sql
    .select({
      id: ticketHistory.id,
      ticketId: ticketHistory.ticketId,
      contactId: tickets.contactId,
      what: ticketHistory.what,
      at: ticketHistory.at,
      by: personOf(ticketHistory.byUserId, by.name),
      user: personOf(ticketHistory.toUserId, users.name),
      queue: { id: queues.id, name: queues.name },
      reason: { id: closingReasons.id, name: closingReasons.name },
      note: ticketHistory.note,
    })
    .from(ticketHistory)
    .innerJoin(
      tickets,
      and(eq(tickets.companyId, ticketHistory.companyId), eq(tickets.id, ticketHistory.ticketId)),
    )
    .leftJoin(by, and(eq(by.companyId, ticketHistory.companyId), eq(by.id, ticketHistory.byUserId)))
    .leftJoin(users, and(eq(users.companyId, ticketHistory.companyId), eq(users.id, ticketHistory.toUserId)))
    .leftJoin(
      queues,
      and(eq(queues.companyId, ticketHistory.companyId), eq(queues.id, ticketHistory.toQueueId)),
    )
    .leftJoin(
      closingReasons,
      and(
        eq(closingReasons.companyId, ticketHistory.companyId),
        eq(closingReasons.id, ticketHistory.reasonId),
      ),
    )
    .where(and(eq(ticketHistory.companyId, tx.companyId), shown))
    .orderBy(desc(ticketHistory.at), desc(ticketHistory.id))
    .limit(MOST)
