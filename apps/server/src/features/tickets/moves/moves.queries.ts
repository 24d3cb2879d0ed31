import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { refuse } from '../../../platform/errors.ts'
import { and, eq, ne, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { Closing } from '../../closingReasons/closingReasons.actions.ts'
import { whatsapps } from '../../connections/connections.table.ts'
import { queues } from '../../queues/queues.table.ts'
import { users } from '../../users/users.table.ts'
import { actorOf, type HistoryKind, type TicketState } from '../tickets.events.ts'
import { ticketHistory } from '../tickets.table.ts'

/**
 * Checks that ids of a client belong to the company. Refuses with ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND,
 * ERR_NO_WAPP_FOUND.
 */
export async function ticketIdsInCompany(
  tx: Tx,
  ids: { queueId?: number | null; userId?: number | null; whatsappId?: number | null },
) {
  if (ids.queueId && !(await exists(tx, queues, ids.queueId)))
    refuse('ERR_NO_QUEUE_FOUND', { field: 'queueId' })
  if (ids.userId && !(await exists(tx, users, ids.userId))) refuse('ERR_NO_USER_FOUND', { field: 'userId' })
  if (ids.whatsappId && !(await exists(tx, whatsapps, ids.whatsappId)))
    refuse('ERR_NO_WAPP_FOUND', { field: 'whatsappId' })
}

/** Whether a user and a queue, where there is one, were not deleted. */
export const stillThere = async (tx: Tx, userId: number | null, queueId: number | null): Promise<boolean> =>
  (userId === null || (await exists(tx, users, userId))) &&
  (queueId === null || (await exists(tx, queues, queueId)))

async function exists(tx: Tx, table: typeof queues | typeof users | typeof whatsapps, id: number) {
  const [row] = await tx.sql
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        eq(table.companyId, tx.companyId),
        eq(table.id, id),
        table === whatsapps ? ne(whatsapps.status, 'REMOVING') : undefined,
      ),
    )
  return row !== undefined
}

/** The user and the queue of a ticket that another user tried to accept, by name. */
export async function holderOf(
  tx: Tx,
  ticket: { id: number; userId: number | null; queueId: number | null },
) {
  const user = ticket.userId ? await nameIn(tx, users, ticket.userId) : null
  const queue = ticket.queueId ? await nameIn(tx, queues, ticket.queueId) : null
  return { ticketId: ticket.id, user, queue }
}

async function nameIn(tx: Tx, table: typeof queues | typeof users, id: number) {
  const [row] = await tx.sql
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(eq(table.companyId, tx.companyId), eq(table.id, id)))
  return row ?? null
}

/** A ticket, its state before and its state now. */
export interface Moved {
  ticketId: number
  from: TicketState | null
  to: TicketState
  closing?: Closing | null
}

/** Inserts a row for each, by one statement; returns them in the same order. */
export async function insertHistories(
  tx: Tx,
  what: HistoryKind,
  moved: Moved[],
): Promise<{ happened: TicketEvent; ownerId: number | null }[]> {
  if (moved.length === 0) return []
  const rows = await tx.sql
    .insert(ticketHistory)
    .values(
      moved.map(({ ticketId, from, to, closing }) => ({
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
        reasonId: closing?.reason?.id ?? null,
        note: closing?.note ?? '',
      })),
    )
    .returning({
      id: ticketHistory.id,
      ticketId: ticketHistory.ticketId,
      at: ticketHistory.at,
      of: tag<{ contactId: number; ownerId: number | null }>`(
        select json_build_object('contactId', c.id, 'ownerId', c.owner_id)
        from tickets t join contacts c on c.company_id = t.company_id and c.id = t.contact_id
        where t.company_id = ${tx.companyId} and t.id = ${ticketHistory.ticketId})`,
      user: nameOf(tx, 'users', ticketHistory.toUserId),
      queue: nameOf(tx, 'queues', ticketHistory.toQueueId),
    })
  const byTicket = new Map(rows.map(row => [row.ticketId, row]))
  return moved.map(({ ticketId, to, closing }) => {
    const { id, at, of, user, queue } = byTicket.get(ticketId)!
    const happened = {
      ...{ id, ticketId, contactId: of.contactId, what, at, by: actorOf(tx) },
      user: named(to.userId, user),
      queue: named(to.queueId, queue),
      reason: closing?.reason ?? null,
      note: closing?.note ?? '',
    }
    return { happened, ownerId: of.ownerId }
  })
}

const nameOf = (tx: Tx, table: 'users' | 'queues', id: PgColumn) =>
  tag<
    string | null
  >`(select name from ${tag.raw(table)} n where n.company_id = ${tx.companyId} and n.id = ${id})`

const named = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })
