import { withMarks } from '@balcao/contract/marks.rules.ts'
import { MAX_FOLLOWED, MAX_PINNED } from '@balcao/contract/marks.ts'
import type { Ticket, TicketMarks } from '@balcao/contract/tickets.ts'
import { refuse } from '../../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { marksOfViewer } from '../lists/marks.queries.ts'
import { publishMoved } from '../tickets.actions.ts'
import { ticketRead, ticketState } from '../tickets.events.ts'
import {
  findTicket,
  loadTickets,
  lockVisible,
  ticketShownTo,
  updateTicket,
  visible,
} from '../tickets.queries.ts'
import { markRemoved, newsChanged, ticketMarked } from './marks.events.ts'
import {
  deleteMarksOf,
  dropMark,
  dropMarksOfClosed,
  dropNews,
  lockMarks,
  putMark,
  putNews,
} from './marks.queries.ts'

const most = { pinned: MAX_PINNED, following: MAX_FOLLOWED }

/**
 * The viewer pins or follows a ticket, or no longer. Refuses with ERR_NO_TICKET_FOUND, and with ERR_TOO_MANY_KEPT
 * beyond the most that one user may have.
 */
export const markTicket = (
  scope: Scope,
  ticketId: number,
  how: keyof TicketMarks,
  on: boolean,
): Promise<Ticket> =>
  scope.transaction(async tx => {
    await findTicket(tx, ticketId)
    await lockMarks(tx)
    if (on) await makeRoom(tx, ticketId, how)
    await (on ? putMark : dropMark)(tx, ticketId, how)
    const ticket = await findMarked(tx, ticketId)
    tx.emit(ticketMarked, { userId: viewerOf(tx).id, ticket })
    return ticket
  })

async function makeRoom(tx: Tx, ticketId: number, how: keyof TicketMarks) {
  const isFull = async () => {
    const marked = (await marksOfViewer(tx))[how]
    return marked.length >= most[how] && !marked.includes(ticketId)
  }
  if (!(await isFull())) return
  const dropped = await dropMarksOfClosed(tx, how)
  if (await isFull()) refuse('ERR_TOO_MANY_KEPT')
  const marks = await marksOfViewer(tx)
  const userId = viewerOf(tx).id
  for (const ticket of await loadTickets(tx, dropped))
    if (visible(tx, ticket))
      tx.emit(ticketMarked, { userId, ticket: withMarks(ticketShownTo(tx, ticket), marks) })
}

/** The customer of a ticket wrote: its followers have it among their news, once until they see it. */
export async function announceNews(tx: Tx, ticket: Pick<Ticket, 'id' | 'userId'>): Promise<void> {
  for (const { userId } of await putNews(tx, ticket)) tx.emit(newsChanged, { userId, ticketId: ticket.id })
}

/** The viewer saw what is new in a ticket. Refuses with ERR_NO_TICKET_FOUND. */
export const seeNews = (scope: Scope, ticketId: number): Promise<void> =>
  scope.transaction(async tx => {
    await findTicket(tx, ticketId)
    if (await dropNews(tx, ticketId)) tx.emit(newsChanged, { userId: viewerOf(tx).id, ticketId })
  })

/** Tickets are about to be deleted: who marked them has no marks on them any more, whether they may be seen or not. */
export async function removeMarksOf(tx: Tx, ticketIds: number[]): Promise<void> {
  if (ticketIds.length === 0) return
  for (const marked of await deleteMarksOf(tx, ticketIds)) tx.emit(markRemoved, marked)
}

/** A ticket the viewer may see, with the viewer's marks. Refuses with ERR_NO_TICKET_FOUND. */
export const findMarked = async (tx: Tx, key: number | string): Promise<Ticket> => {
  const ticket = await findTicket(tx, key)
  return withMarks(ticket, await marksOfViewer(tx))
}

/**
 * Marks a ticket as unread, for all who see it, or as read; the network is not notified. Its attendant's next reading takes
 * the mark away. Refuses with ERR_NO_TICKET_FOUND, and with ERR_TICKET_NOT_OPEN where it is closed.
 */
export const markUnread = (scope: Scope, ticketId: number, on: boolean): Promise<Ticket> =>
  scope.transaction(async tx => {
    const row = await lockVisible(tx, ticketId)
    if (row.status === 'closed') return refuse('ERR_TICKET_NOT_OPEN')
    if (on !== row.unreadMessages > 0) {
      await updateTicket(tx, ticketId, { unreadMessages: Number(on) })
      if (on) await publishMoved(tx, new Map([[ticketId, row]]))
      else
        tx.emit(ticketRead, {
          ticketId,
          version: row.version + 1,
          state: { ...ticketState(row), ownerId: row.ownerId },
        })
    }
    return findMarked(tx, ticketId)
  })
