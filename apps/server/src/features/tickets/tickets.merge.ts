import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { ticketChanged } from './tickets.events.ts'
import { actorOf, writeHistory } from './tickets.history.ts'
import { livingOf, loadTickets, type TicketRow } from './tickets.queries.ts'
import { type MergedStanding, mergedTickets, tickets } from './tickets.table.ts'

/** Closed tickets that moved are told of up to so many; whoever opens another one loads it as it stands. */
const TOLD = 40

/**
 * Hangs the tickets of a contact on another. Where both have a living one on a connection, one goes on: the one
 * that somebody attends, else the one that stood; what was unread in the other counts there. With `mergeId` it is
 * written down what moved and how it stood.
 */
export async function moveTickets(
  tx: Tx,
  { from, into, mergeId }: { from: number; into: number; mergeId: number | null },
): Promise<void> {
  const before = await joinLiving(tx, await livingOf(tx, from), await livingOf(tx, into))
  const moved = await tx.sql
    .update(tickets)
    .set({ contactId: into, version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, from)))
    .returning()
  if (mergeId !== null) await writeDown(tx, mergeId, moved, before)
  const stood = new Map([...closedOf(moved), ...moved.filter(isLiving), ...before].map(row => [row.id, row]))
  await tellMoved(tx, stood)
}

export const isLiving = ({ status }: TicketRow) => status !== 'closed'
export const closedOf = (rows: TicketRow[]) => rows.filter(row => !isLiving(row)).slice(-TOLD)

/** Of two living ones on a connection one goes on. Answers those that were touched, as they stood. */
async function joinLiving(tx: Tx, living: TicketRow[], standing: TicketRow[]): Promise<TicketRow[]> {
  const touched: TicketRow[] = []
  for (const moving of living) {
    const rival = standing.find(one => one.whatsappId === moving.whatsappId && !one.parallel)
    if (!rival || moving.parallel) continue
    const attended = moving.status === 'open' && rival.status === 'pending'
    const [kept, ended] = attended ? [moving, rival] : [rival, moving]
    await goOn(tx, kept, ended)
    touched.push(kept, ended)
  }
  return touched
}

async function goOn(tx: Tx, kept: TicketRow, ended: TicketRow) {
  const closedAt = new Date().toISOString()
  await setTicket(tx, ended.id, { status: 'closed', unreadMessages: 0, waitingSince: null, closedAt })
  await setTicket(tx, kept.id, {
    unreadMessages: tag`${tickets.unreadMessages} + ${ended.unreadMessages}`,
    waitingSince: tag`least(${tickets.waitingSince}, ${ended.waitingSince}::timestamptz)`,
  })
  const { status, queueId, userId } = ended
  await writeHistory(
    tx,
    ended.id,
    'resolved',
    { status, queueId, userId },
    { status: 'closed', queueId, userId },
  )
}

/** What undoing the merge will ask for. */
async function writeDown(tx: Tx, mergeId: number, moved: TicketRow[], touched: TicketRow[]) {
  const now = await lockRows(
    tx,
    touched.map(({ id }) => id),
  )
  const stood = new Map(touched.map(row => [row.id, row]))
  const ids = [...new Set([...moved, ...touched].map(({ id }) => id))]
  const rows = ids.map(ticketId => ({
    companyId: tx.companyId,
    mergeId,
    ticketId,
    moved: moved.some(({ id }) => id === ticketId),
    before: standingOf(stood.get(ticketId)),
    after: standingOf(now.get(ticketId)),
  }))
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await tx.sql.insert(mergedTickets).values(rows.slice(at, at + AT_ONCE))
}

const AT_ONCE = 1_000

const standingOf = (row: TicketRow | undefined): MergedStanding | null =>
  row
    ? {
        status: row.status,
        unreadMessages: row.unreadMessages,
        waitingSince: row.waitingSince,
        closedAt: row.closedAt,
      }
    : null

/** Sets fields of a ticket, whose version rises with it. */
export const setTicket = (tx: Tx, ticketId: number, fields: object) =>
  tx.sql
    .update(tickets)
    .set({ ...fields, version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))

/** Tickets by id, locked. */
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

/** Screens hear where tickets stand that stood there before. */
export async function tellMoved(tx: Tx, stood: Map<number, TicketRow>) {
  for (const ticket of await loadTickets(tx, [...stood.keys()])) {
    const { status, queueId, userId } = stood.get(ticket.id)!
    tx.emit(ticketChanged, {
      ticket,
      before: { status, queueId, userId },
      by: actorOf(tx),
      transfer: false,
    })
  }
}
