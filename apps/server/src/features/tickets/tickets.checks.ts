import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { findChat } from '../contacts/contacts.queries.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

/** Ids that come from a client name things of this company, or they are not found. */
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

/** The official API writes to numbers and to its own ids: groups and people known by a LID alone are out of its reach. */
export async function reaches(tx: Tx, contactId: number, whatsappId: number): Promise<boolean> {
  const chat = await findChat(tx, contactId)
  if (!chat || (await findConnection(tx, whatsappId)).lib !== 'cloud') return chat !== null
  return [chat, chat.also].some(address => address?.kind === 'phone' || address?.kind === 'cloud')
}

async function exists(tx: Tx, table: typeof queues | typeof users | typeof whatsapps, id: number) {
  const [row] = await tx.sql
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.companyId, tx.companyId), eq(table.id, id)))
  return row !== undefined
}

/** Who holds a ticket that somebody else wanted: name and sector, for the notice. */
export async function holderOf(
  tx: Tx,
  ticket: { id: number; userId: number | null; queueId: number | null },
) {
  const [holder] = ticket.userId
    ? await tx.sql
        .select({ id: users.id, name: users.name })
        .from(users)
        .where(and(eq(users.companyId, tx.companyId), eq(users.id, ticket.userId)))
    : []
  const [queue] = ticket.queueId
    ? await tx.sql
        .select({ id: queues.id, name: queues.name })
        .from(queues)
        .where(and(eq(queues.companyId, tx.companyId), eq(queues.id, ticket.queueId)))
    : []
  return { ticketId: ticket.id, user: holder ?? null, queue: queue ?? null }
}
