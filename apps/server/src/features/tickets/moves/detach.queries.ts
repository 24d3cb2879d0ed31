import { and, eq, inArray, ne, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { findConnection } from '../../connections/connections.queries.ts'
import { ownerOfTicket } from '../lists/visibility.queries.ts'
import type { TicketFields, TicketRow } from '../tickets.queries.ts'
import { tickets } from '../tickets.table.ts'

/** The queue, connection or user that tickets belong to. */
export type TicketOwner = { queueId: number } | { whatsappId: number } | { userId: number }

export const lockLivingBy = (tx: Tx, owner: TicketOwner, most: number): Promise<TicketRow[]> =>
  tx.sql
    .select()
    .from(tickets)
    .where(and(ownedBy(tx, owner), ne(tickets.status, 'closed')))
    .orderBy(tickets.id)
    .limit(most)
    .for('update')

/** The tickets on these connections that a bot leads, locked. */
export async function lockLedOn(tx: Tx, whatsappIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        inArray(tickets.whatsappId, whatsappIds),
        tag`${tickets.withBot}`,
      ),
    )
    .orderBy(tickets.id)
    .for('update')
  return rows.map(({ id }) => id)
}

export const unmarkLed = (tx: Tx, ids: number[]) =>
  tx.sql
    .update(tickets)
    .set({ withBot: false, version })
    .where(and(eq(tickets.companyId, tx.companyId), inArray(tickets.id, ids)))

/** What changes with a ticket that loses its owner, besides the owner. */
export type Detaching = Omit<TicketFields, 'status'> & { status?: 'pending' | 'closed' }

export const detachTickets = (tx: Tx, owner: TicketOwner, ids: number[], also: Detaching) =>
  tx.sql
    .update(tickets)
    .set({ ...without(owner), ...also, ...(also.status && { snoozedUntil: null }), version })
    .where(and(ownedBy(tx, owner), inArray(tickets.id, ids)))

/**
 * What puts tickets on another connection: beside one that is not closed they are parallel, and the customer service window
 * is that of the contact there (`repliesUntilOn`).
 */
export async function onConnection(tx: Tx, whatsappId: number): Promise<Detaching> {
  const there = tag`from tickets o where o.company_id = ${tickets.companyId} and o.contact_id = ${tickets.contactId}
    and o.whatsapp_id = ${whatsappId}`
  const { lib } = await findConnection(tx, whatsappId)
  return {
    whatsappId,
    parallel: tag`${tickets.parallel} or exists (select ${there} and o.status <> 'closed' and not o.parallel)`,
    repliesUntil: lib === 'cloud' ? tag`coalesce((select max(o.replies_until) ${there}), now())` : null,
  }
}

/** Detaches at most `most` of what is left, which is closed. Returns how many. */
export async function detachClosed(tx: Tx, owner: TicketOwner, most: number): Promise<number> {
  const some = tx.sql.select({ id: tickets.id }).from(tickets).where(ownedBy(tx, owner)).limit(most)
  const gone = await tx.sql
    .update(tickets)
    .set({ ...without(owner), version })
    .where(and(ownedBy(tx, owner), inArray(tickets.id, some)))
    .returning({ id: tickets.id })
  return gone.length
}

const version = tag`${tickets.version} + 1`

const without = (owner: TicketOwner) =>
  Object.fromEntries(Object.keys(owner).map(name => [name, null])) as Partial<Record<Owning, null>>

type Owning = 'queueId' | 'whatsappId' | 'userId'

const ownedBy = (tx: Tx, owner: TicketOwner): SQL | undefined => {
  const [[name, id]] = Object.entries(owner) as [[Owning, number]]
  return and(eq(tickets.companyId, tx.companyId), eq(tickets[name], id))
}

export const deleteTicket = (tx: Tx, ticketId: number) =>
  tx.sql.delete(tickets).where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))

export async function lockTicketIdsOf(tx: Tx, contactId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(ofContact(tx, contactId))
    .for('update')
  return rows.map(({ id }) => id)
}

export const deleteTicketsOf = (tx: Tx, contactId: number) =>
  tx.sql.delete(tickets).where(ofContact(tx, contactId)).returning({
    id: tickets.id,
    status: tickets.status,
    queueId: tickets.queueId,
    userId: tickets.userId,
    snoozedUntil: tickets.snoozedUntil,
    ownerId: ownerOfTicket,
  })

export const ticketsOf = (tx: Tx, contactId: number) =>
  tx.sql
    .select({
      id: tickets.id,
      protocol: tickets.protocol,
      status: tickets.status,
      createdAt: tickets.createdAt,
      updatedAt: tickets.updatedAt,
    })
    .from(tickets)
    .where(ofContact(tx, contactId))
    .orderBy(tickets.id)

const ofContact = (tx: Tx, contactId: number) =>
  and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, contactId))
