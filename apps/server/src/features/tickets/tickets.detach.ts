import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, ne, type SQL, sql as tag } from '../../platform/sql.ts'
import { ticketChanged, ticketRemoved, ticketsLeaving } from './tickets.events.ts'
import { actorOf, writeHistory } from './tickets.history.ts'
import { selectTickets, type TicketRow, toTicket } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'

/** Tickets of a queue that is about to go stay where they stand, without a queue (OP-70). */
export const detachQueue = (tx: Tx, queueId: number) =>
  letGo(tx, eq(tickets.queueId, queueId), { queueId: null })

/** Tickets of a connection that is about to go stay, without a connection. */
export const detachConnection = (tx: Tx, whatsappId: number) =>
  letGo(tx, eq(tickets.whatsappId, whatsappId), { whatsappId: null })

/** Open tickets of a user who is about to go wait again, in their queue (OP-70). */
export const detachUser = (tx: Tx, userId: number) =>
  letGo(tx, eq(tickets.userId, userId), { userId: null }, { status: 'pending' })

/** The tickets of a contact that is removed go with it, and their messages with them. */
export async function removeTicketsOf(tx: Tx, contactId: number) {
  const theirs = and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, contactId))
  const going = await tx.sql.select({ id: tickets.id }).from(tickets).where(theirs).for('update')
  await tx.involve(ticketsLeaving, { ticketIds: going.map(({ id }) => id) })
  const gone = await tx.sql
    .delete(tickets)
    .where(theirs)
    .returning({ id: tickets.id, status: tickets.status, queueId: tickets.queueId, userId: tickets.userId })
  for (const { id, ...place } of gone) tx.emit(ticketRemoved, { ticketId: id, place })
}

type Freed = Partial<Pick<TicketRow, 'queueId' | 'whatsappId' | 'userId'>>

/**
 * Screens hear of the living ones. Closed ones, of which there may be a hundred thousand, are freed in one
 * statement and without a push: whoever opens one loads it as it stands.
 */
async function letGo(tx: Tx, standing: SQL, freed: Freed, living: { status?: 'pending' } = {}) {
  const mine = and(eq(tickets.companyId, tx.companyId), standing)
  const before = await tx.sql
    .select()
    .from(tickets)
    .where(and(mine, ne(tickets.status, 'closed')))
    .orderBy(tickets.id)
    .for('update')
  const version = tag`${tickets.version} + 1`
  if (before.length > 0)
    await tx.sql
      .update(tickets)
      .set({ ...freed, ...living, version })
      .where(and(mine, ne(tickets.status, 'closed')))
  await tx.sql
    .update(tickets)
    .set({ ...freed, version })
    .where(mine)
  await tellOf(tx, before)
}

async function tellOf(tx: Tx, before: TicketRow[]) {
  if (before.length === 0) return
  const ids = before.map(({ id }) => id)
  const rows = await selectTickets(tx.sql).where(
    and(eq(tickets.companyId, tx.companyId), inArray(tickets.id, ids)),
  )
  const stood = new Map(before.map(ticket => [ticket.id, ticket]))
  for (const ticket of rows.map(toTicket)) {
    const { status, queueId, userId } = stood.get(ticket.id)!
    const place = { status, queueId, userId }
    await writeHistory(tx, ticket.id, 'moved', place, ticket)
    tx.emit(ticketChanged, { ticket, before: place, by: actorOf(tx), transfer: false })
  }
}
