import { randomUUID } from 'node:crypto'
import type { Tx } from '../../platform/scope.ts'
import { and, desc, eq, isNotNull, sql as tag } from '../../platform/sql.ts'
import { nextProtocol } from '../companies/companies.actions.ts'
import { ticketChanged } from './tickets.events.ts'
import { loadTickets } from './tickets.queries.ts'
import { ticketHistory, tickets } from './tickets.table.ts'

/** So many are told one by one; whoever shows more fetches the list again. */
const TOLD = 1_000

/**
 * The ticket that old messages of a contact go to: the one that lives on the connection, else the one an import
 * made, else a new one that waits without a queue, dated like its first message. Nobody is told of it.
 */
export async function ensureImported(
  tx: Tx,
  contact: { id: number; isGroup: boolean },
  whatsappId: number,
  at: string,
): Promise<number> {
  const [known] = await tx.sql
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.contactId, contact.id),
        eq(tickets.whatsappId, whatsappId),
        tag`(${tickets.status} <> 'closed' or ${tickets.importedAt} is not null)`,
      ),
    )
    .orderBy(desc(tickets.importedAt), tickets.parallel, tickets.id)
    .limit(1)
  if (known) return known.id
  const [row] = await tx.sql
    .insert(tickets)
    .values({
      companyId: tx.companyId,
      uuid: randomUUID(),
      protocol: await nextProtocol(tx),
      status: 'pending',
      contactId: contact.id,
      isGroup: contact.isGroup,
      whatsappId,
      importedAt: new Date().toISOString(),
      createdAt: at,
      updatedAt: at,
    })
    .returning({ id: tickets.id })
  return row!.id
}

/** Closes what an import made on a connection and nobody took up. Answers how many. */
export async function closeImported(tx: Tx, whatsappId: number): Promise<number> {
  const closed = await tx.sql
    .update(tickets)
    .set({ status: 'closed', closedAt: new Date().toISOString(), version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.whatsappId, whatsappId),
        eq(tickets.status, 'pending'),
        isNotNull(tickets.importedAt),
      ),
    )
    .returning({ id: tickets.id, queueId: tickets.queueId })
  if (closed.length === 0) return 0
  await tx.sql.execute(tag`
    insert into ${ticketHistory} (company_id, ticket_id, what, by_user_id, from_status, from_queue_id, to_status, to_queue_id)
    select company_id, id, 'resolved', ${tx.viewer?.id ?? null}::int, 'pending', queue_id, 'closed', queue_id
    from ${tickets} where company_id = ${tx.companyId} and id = any(${`{${closed.map(one => one.id)}}`}::int[])`)
  const places = new Map(closed.map(one => [one.id, one.queueId]))
  for (const ticket of await loadTickets(
    tx,
    closed.slice(0, TOLD).map(one => one.id),
  )) {
    const before = { status: 'pending', userId: null, queueId: places.get(ticket.id) ?? null } as const
    tx.emit(ticketChanged, { ticket, before, by: null, transfer: false })
  }
  return closed.length
}
