import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { writeHistory } from './tickets.history.ts'
import { closedOf, isLiving, lockRows, setTicket, tellMoved } from './tickets.merge.ts'
import { livingOf, type TicketRow } from './tickets.queries.ts'
import { type MergedStanding, mergedTickets, tickets } from './tickets.table.ts'

/** What moved by a merge goes back to whom it is from, and living tickets that became one are two again. */
export async function partTickets(
  tx: Tx,
  { mergeId, into, from }: { mergeId: number; into: number; from: number },
): Promise<void> {
  const written = await tx.sql
    .select()
    .from(mergedTickets)
    .where(and(eq(mergedTickets.companyId, tx.companyId), eq(mergedTickets.mergeId, mergeId)))
  const before = await lockRows(
    tx,
    written.map(({ ticketId }) => ticketId),
  )
  await tx.sql.execute(tag`update ${tickets} t set contact_id = ${from}, version = t.version + 1 from ${mergedTickets} m
    where m.company_id = ${tx.companyId} and m.merge_id = ${mergeId} and m.moved
      and t.company_id = m.company_id and t.id = m.ticket_id and t.contact_id = ${into}`)
  for (const { ticketId, before: stood, after } of written) {
    const row = before.get(ticketId)
    if (row && stood && after) await standAgain(tx, row, stood, after)
  }
  const rows = [...before.values()]
  const touched = new Set(written.flatMap(({ ticketId, before: stood }) => (stood ? [ticketId] : [])))
  const told = [...closedOf(rows), ...rows.filter(row => isLiving(row) || touched.has(row.id))]
  await tellMoved(tx, new Map(told.map(row => [row.id, row])))
}

/** What happened to it since stays; what the merge did to it does not. */
async function standAgain(tx: Tx, row: TicketRow, stood: MergedStanding, after: MergedStanding) {
  if (after.status !== 'closed')
    return setTicket(tx, row.id, {
      unreadMessages: Math.max(0, row.unreadMessages - (after.unreadMessages - stood.unreadMessages)),
      waitingSince: row.waitingSince === after.waitingSince ? stood.waitingSince : row.waitingSince,
    })
  const isAsEnded = row.status === 'closed' && row.closedAt === after.closedAt
  if (!isAsEnded || (await hasLivingBeside(tx, row.id))) return
  const { queueId, userId } = row
  // who attended it may be gone by now
  const status = stood.status === 'open' && userId === null ? 'pending' : stood.status
  await setTicket(tx, row.id, { ...stood, status })
  await writeHistory(tx, row.id, 'undone', { status: 'closed', queueId, userId }, { status, queueId, userId })
}

/** Another conversation goes on there by now, and one contact has one on a connection. */
async function hasLivingBeside(tx: Tx, ticketId: number): Promise<boolean> {
  const { rows } = (await tx.sql.execute(tag`select exists (select from ${tickets} t join ${tickets} o
      on o.company_id = t.company_id and o.contact_id = t.contact_id and o.whatsapp_id is not distinct from t.whatsapp_id
    where t.company_id = ${tx.companyId} and t.id = ${ticketId} and o.id <> t.id
      and o.status <> 'closed' and not o.parallel) as has`)) as { rows: { has: boolean }[] }
  return rows[0]!.has
}

/** A ticket that was opened since goes to whom its words are from. False where that one has a living one there. */
export async function giveTicket(tx: Tx, ticketId: number, contactId: number): Promise<boolean> {
  const row = (await lockRows(tx, [ticketId])).get(ticketId)!
  const living = await livingOf(tx, contactId)
  if (isLiving(row) && living.some(one => one.whatsappId === row.whatsappId && !one.parallel)) return false
  await setTicket(tx, ticketId, { contactId })
  await tellMoved(tx, new Map([[ticketId, row]]))
  return true
}
