import { and, eq, inArray, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { type TicketRow, updateTicket } from '../tickets.queries.ts'
import { mergedTickets, tickets } from '../tickets.table.ts'

export async function lockRows(tx: Tx, ids: number[]): Promise<Map<number, TicketRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.sql
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, tx.companyId), inArray(tickets.id, ids)))
    .orderBy(tickets.id)
    .for('update')
  return new Map(rows.map(row => [row.id, row]))
}

export const moveTicketsOfContact = (tx: Tx, from: number, into: number): Promise<TicketRow[]> =>
  tx.sql
    .update(tickets)
    .set({ contactId: into, version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, from)))
    .returning()

/** Adds the unread messages of a ticket to another, which waits since the earlier of both. */
export const addToTicket = (tx: Tx, ticketId: number, ended: TicketRow) =>
  updateTicket(tx, ticketId, {
    unreadMessages: tag`${tickets.unreadMessages} + ${ended.unreadMessages}`,
    waitingSince: tag`least(${tickets.waitingSince}, ${ended.waitingSince}::timestamptz)`,
    // the other one has words that a snooze would hide
    ...(ended.snoozedUntil === null && { snoozedUntil: null }),
  })

const ROWS_AT_ONCE = 1_000

export async function insertMergedTickets(
  tx: Tx,
  rows: Omit<typeof mergedTickets.$inferInsert, 'companyId'>[],
) {
  const { companyId } = tx
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.sql
      .insert(mergedTickets)
      .values(rows.slice(at, at + ROWS_AT_ONCE).map(row => ({ ...row, companyId })))
}

export const selectMergedTickets = (tx: Tx, mergeId: number) =>
  tx.sql
    .select()
    .from(mergedTickets)
    .where(and(eq(mergedTickets.companyId, tx.companyId), eq(mergedTickets.mergeId, mergeId)))

/** Tickets that a merge moved from a contact are theirs again. */
export const moveBack = (tx: Tx, { mergeId, into, from }: { mergeId: number; into: number; from: number }) =>
  tx.sql.execute(tag`update ${tickets} t set contact_id = ${from}, version = t.version + 1 from ${mergedTickets} m
    where m.company_id = ${tx.companyId} and m.merge_id = ${mergeId} and m.moved
      and t.company_id = m.company_id and t.id = m.ticket_id and t.contact_id = ${into}`)

export async function hasLivingBeside(tx: Tx, ticketId: number): Promise<boolean> {
  const { rows } = (await tx.sql.execute(tag`select exists (select from ${tickets} t join ${tickets} o
      on o.company_id = t.company_id and o.contact_id = t.contact_id and o.whatsapp_id is not distinct from t.whatsapp_id
    where t.company_id = ${tx.companyId} and t.id = ${ticketId} and o.id <> t.id
      and o.status <> 'closed' and not o.parallel) as has`)) as { rows: { has: boolean }[] }
  return rows[0]!.has
}
