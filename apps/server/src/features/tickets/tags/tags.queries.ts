import { and, eq, inArray, notInArray, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import type { TicketRow } from '../tickets.queries.ts'
import { tickets, ticketTags } from '../tickets.table.ts'

export const deleteTags = (tx: Tx, ticketId: number, tagIds: number[]): Promise<number[]> =>
  deleteWhere(tx, and(eq(ticketTags.ticketId, ticketId), inArray(ticketTags.tagId, tagIds)))

export const deleteOtherTags = (tx: Tx, ticketId: number, kept: number[]): Promise<number[]> => {
  const others = kept.length > 0 ? notInArray(ticketTags.tagId, kept) : undefined
  return deleteWhere(tx, and(eq(ticketTags.ticketId, ticketId), others))
}

/** Removes all tags of tickets; returns the ids of those they had, each once. */
export const deleteAllTags = async (tx: Tx, ticketIds: number[]): Promise<number[]> => [
  ...new Set(await deleteWhere(tx, inArray(ticketTags.ticketId, ticketIds))),
]

async function deleteWhere(tx: Tx, which: SQL | undefined): Promise<number[]> {
  const deleted = await tx.sql
    .delete(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), which))
    .returning({ id: ticketTags.tagId })
  return deleted.map(({ id }) => id)
}

export async function insertTags(tx: Tx, ticketId: number, tagIds: number[]): Promise<number[]> {
  if (tagIds.length === 0) return []
  const added = await tx.sql
    .insert(ticketTags)
    .values(tagIds.map(tagId => ({ companyId: tx.companyId, ticketId, tagId })))
    .onConflictDoNothing()
    .returning({ id: ticketTags.tagId })
  return added.map(({ id }) => id)
}

/** Replaces a tag by another on all tickets; returns the tickets that have the other one now. */
export async function mergeTagRows(tx: Tx, tagId: number, into: number): Promise<TicketRow[]> {
  const moved = tx.sql
    .select({
      companyId: ticketTags.companyId,
      ticketId: ticketTags.ticketId,
      tagId: tag<number>`${into}::int`.as('tag_id'),
    })
    .from(ticketTags)
    .where(and(eq(ticketTags.companyId, tx.companyId), eq(ticketTags.tagId, tagId)))
  await tx.sql.insert(ticketTags).select(moved).onConflictDoNothing()
  await deleteWhere(tx, eq(ticketTags.tagId, tagId))
  return tx.sql
    .update(tickets)
    .set({ version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        tag`${tickets.id} in (select ticket_id from ${ticketTags} where company_id = ${tx.companyId} and tag_id = ${into})`,
      ),
    )
    .returning()
}
