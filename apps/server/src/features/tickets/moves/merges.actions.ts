import { databaseTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/scope.ts'
import { publishMoved } from '../tickets.actions.ts'
import { isLiving, type TicketRow, updateTicket } from '../tickets.queries.ts'
import type { MergedState } from '../tickets.table.ts'
import {
  addToTicket,
  hasLivingBeside,
  insertMergedTickets,
  lockRows,
  moveBack,
  moveTicketsOfContact,
  selectMergedTickets,
} from './merges.queries.ts'
import { writeHistory } from './moves.actions.ts'
import { livingOf } from './open.queries.ts'

/** So many closed tickets are published after a merge; opening another one loads its state. */
const MOST_PUBLISHED = 40

/**
 * Moves the tickets of a contact to another. Where both have a ticket on a connection that is not closed, the open one
 * goes on, else that of `into`, with the unread messages of both. `mergeId`: records what `partTickets` needs.
 */
export async function moveTickets(
  tx: Tx,
  { from, into, mergeId }: { from: number; into: number; mergeId: number | null },
): Promise<void> {
  const before = await joinLiving(tx, await livingOf(tx, from), await livingOf(tx, into))
  const moved = await moveTicketsOfContact(tx, from, into)
  if (mergeId !== null) await recordMerge(tx, mergeId, moved, before)
  const previous = new Map(
    [...closedOf(moved), ...moved.filter(isLiving), ...before].map(row => [row.id, row]),
  )
  await publishMoved(tx, previous)
}

/** Closes one of two tickets on the same connection. Returns the previous rows of both. */
async function joinLiving(tx: Tx, moving: TicketRow[], staying: TicketRow[]): Promise<TicketRow[]> {
  const touched: TicketRow[] = []
  for (const one of moving) {
    const rival = staying.find(({ whatsappId, parallel }) => whatsappId === one.whatsappId && !parallel)
    if (!rival || one.parallel) continue
    const attended = one.status === 'open' && rival.status === 'pending'
    const [kept, ended] = attended ? [one, rival] : [rival, one]
    await joinTickets(tx, kept, ended)
    touched.push(kept, ended)
  }
  return touched
}

async function joinTickets(tx: Tx, kept: TicketRow, ended: TicketRow) {
  const closedAt = databaseTime()
  await updateTicket(tx, ended.id, {
    ...{ status: 'closed', snoozedUntil: null },
    ...{ unreadMessages: 0, waitingSince: null, closedAt },
  })
  await addToTicket(tx, kept.id, ended)
  const { status, queueId, userId } = ended
  const [from, to] = [
    { status, queueId, userId },
    { status: 'closed', queueId, userId },
  ] as const
  await writeHistory(tx, ended.id, 'resolved', from, to)
}

async function recordMerge(tx: Tx, mergeId: number, moved: TicketRow[], touched: TicketRow[]) {
  const now = await lockRows(
    tx,
    touched.map(({ id }) => id),
  )
  const previous = new Map(touched.map(row => [row.id, row]))
  const movedIds = new Set(moved.map(({ id }) => id))
  const ids = [...new Set([...moved, ...touched].map(({ id }) => id))]
  await insertMergedTickets(
    tx,
    ids.map(ticketId => ({
      mergeId,
      ticketId,
      moved: movedIds.has(ticketId),
      before: mergedState(previous.get(ticketId)),
      after: mergedState(now.get(ticketId)),
    })),
  )
}

const mergedState = (row: TicketRow | undefined): MergedState | null =>
  row
    ? {
        status: row.status,
        unreadMessages: row.unreadMessages,
        waitingSince: row.waitingSince,
        closedAt: row.closedAt,
      }
    : null

/** Undoes `moveTickets`: moves tickets back to `from`, and makes two again of those that were joined. */
export async function partTickets(
  tx: Tx,
  { mergeId, into, from }: { mergeId: number; into: number; from: number },
): Promise<void> {
  const merged = await selectMergedTickets(tx, mergeId)
  const rows = await lockRows(
    tx,
    merged.map(({ ticketId }) => ticketId),
  )
  await moveBack(tx, { mergeId, into, from })
  for (const { ticketId, before, after } of merged) {
    const row = rows.get(ticketId)
    if (row && before && after) await restore(tx, row, before, after)
  }
  const touched = new Set(merged.flatMap(({ ticketId, before }) => (before ? [ticketId] : [])))
  const all = [...rows.values()]
  const published = [...closedOf(all), ...all.filter(row => isLiving(row) || touched.has(row.id))]
  await publishMoved(tx, new Map(published.map(row => [row.id, row])))
}

/** Reverts what the merge changed, and keeps what changed since. */
async function restore(tx: Tx, row: TicketRow, before: MergedState, after: MergedState) {
  if (after.status !== 'closed')
    return updateTicket(tx, row.id, {
      unreadMessages: Math.max(0, row.unreadMessages - (after.unreadMessages - before.unreadMessages)),
      waitingSince: row.waitingSince === after.waitingSince ? before.waitingSince : row.waitingSince,
    })
  const isAsEnded = row.status === 'closed' && row.closedAt === after.closedAt
  if (!isAsEnded || (await hasLivingBeside(tx, row.id))) return
  const { queueId, userId } = row
  // its user may be deleted by now
  const status = before.status === 'open' && userId === null ? 'pending' : before.status
  await updateTicket(tx, row.id, { ...before, status })
  await writeHistory(tx, row.id, 'undone', { status: 'closed', queueId, userId }, { status, queueId, userId })
}

const closedOf = (rows: TicketRow[]) => rows.filter(row => !isLiving(row)).slice(-MOST_PUBLISHED)

/**
 * Moves a ticket that was opened after a merge to the contact who wrote in it. Returns false where that contact has
 * one on the connection that is not closed.
 */
export async function giveTicket(tx: Tx, ticketId: number, contactId: number): Promise<boolean> {
  const row = (await lockRows(tx, [ticketId])).get(ticketId)!
  const living = await livingOf(tx, contactId)
  if (isLiving(row) && living.some(one => one.whatsappId === row.whatsappId && !one.parallel)) return false
  await updateTicket(tx, ticketId, { contactId })
  await publishMoved(tx, new Map([[ticketId, row]]))
  return true
}
