import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { TicketEvent } from '@balcao/contract/tickets.ts'
import { alias } from 'drizzle-orm/pg-core'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, desc, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'
import { historyWritten, type TicketStanding } from './tickets.events.ts'
import { findTicket } from './tickets.queries.ts'
import { ticketHistory, tickets } from './tickets.table.ts'

export type HistoryKind = typeof ticketHistory.$inferInsert.what

/** Writes down who moved a ticket from where to where: what the conversation shows and the time reports will read. */
export async function writeHistory(
  tx: Tx,
  ticketId: number,
  what: HistoryKind,
  from: TicketStanding | null,
  to: TicketStanding,
) {
  const [row] = await tx.sql
    .insert(ticketHistory)
    .values({
      companyId: tx.companyId,
      ticketId,
      what,
      byUserId: tx.viewer?.id ?? null,
      fromStatus: from?.status ?? null,
      fromUserId: from?.userId ?? null,
      fromQueueId: from?.queueId ?? null,
      toStatus: to.status,
      toUserId: to.userId,
      toQueueId: to.queueId,
    })
    .returning({
      id: ticketHistory.id,
      at: ticketHistory.at,
      contactId: tag<number>`(select contact_id from tickets t
        where t.company_id = ${tx.companyId} and t.id = ${ticketId}::int)`,
      user: nameOf(tx, 'users', to.userId),
      queue: nameOf(tx, 'queues', to.queueId),
    })
  const { id, at, contactId, user, queue } = row!
  const happened: TicketEvent = {
    id,
    ticketId,
    contactId,
    what,
    at,
    by: actorOf(tx),
    user: named(to.userId, user),
    queue: named(to.queueId, queue),
  }
  tx.emit(historyWritten, { happened, from, to })
}

const nameOf = (tx: Tx, table: 'users' | 'queues', id: number | null) =>
  tag<
    string | null
  >`(select name from ${tag.raw(table)} n where n.company_id = ${tx.companyId} and n.id = ${id}::int)`

const named = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

/** A bound that no conversation reaches in life. */
const MOST = 500

/**
 * What happened to the tickets that the conversation of this one shows, oldest first. Refuses with ERR_NO_TICKET_FOUND,
 * and with ERR_NO_PERMISSION for a pending ticket that the caller may not look into.
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

const selectStory = (tx: Tx, shown: SQL | undefined): Promise<TicketEvent[]> =>
  tx.sql
    .select({
      id: ticketHistory.id,
      ticketId: ticketHistory.ticketId,
      contactId: tickets.contactId,
      what: ticketHistory.what,
      at: ticketHistory.at,
      by: { id: by.id, name: by.name },
      user: { id: users.id, name: users.name },
      queue: { id: queues.id, name: queues.name },
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
    .where(and(eq(ticketHistory.companyId, tx.companyId), shown))
    .orderBy(desc(ticketHistory.at), desc(ticketHistory.id))
    .limit(MOST)
/** The last move of a ticket; null while it has not moved. */
export async function lastMove(tx: Tx, ticketId: number): Promise<typeof ticketHistory.$inferSelect | null> {
  const [last] = await tx.sql
    .select()
    .from(ticketHistory)
    .where(and(eq(ticketHistory.companyId, tx.companyId), eq(ticketHistory.ticketId, ticketId)))
    .orderBy(desc(ticketHistory.id))
    .limit(1)
  return last ?? null
}

/** Who acts, as the colleagues know him; null when it is the house itself. */
export const actorOf = ({ viewer }: Scope) => viewer && { id: viewer.id, name: viewer.name }
