import { may } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseTime } from '../../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import type { Closing } from '../../closingReasons/closingReasons.actions.ts'
import {
  actorOf,
  type HistoryKind,
  historyWritten,
  type TicketState,
  ticketChanged,
  ticketMoved,
  ticketPlaced,
  ticketState,
} from '../tickets.events.ts'
import {
  loadTicket,
  lockTicket,
  type TicketRow,
  ticketShownTo,
  updateTicket,
  visible,
} from '../tickets.queries.ts'
import { holderOf, insertHistories, type Moved, ticketIdsInCompany } from './moves.queries.ts'
import { livingOf } from './open.queries.ts'
import { isParallel } from './parallel.rules.ts'
import { repliesUntilOn } from './reach.queries.ts'

type Move = Partial<
  Pick<TicketRow, 'status' | 'queueId' | 'userId' | 'snoozedUntil' | 'whatsappId' | 'repliesUntil'>
> & {
  /** Why a user closes it. */
  closing?: Closing | null
}

/**
 * Assigns a waiting ticket to the caller, in the ticket's queue or else the one given. Of two callers at once the second
 * is refused with ERR_TICKET_TAKEN and the name of the first; ERR_OTHER_OPEN_TICKET when a closed ticket would come back
 * beside one that is not closed.
 */
export const accept = (scope: Scope, ticketId: number, queueId?: number | null) =>
  change(scope, ticketId, 'accepted', async (tx, before) => {
    const me = viewerOf(scope)
    if (before.status === 'open' && before.userId === me.id) return null
    if (before.status === 'open' && before.userId !== null)
      return refuse('ERR_TICKET_TAKEN', { details: await holderOf(tx, before) })
    await ticketIdsInCompany(tx, { queueId })
    return { status: 'open', userId: me.id, queueId: before.queueId ?? queueId ?? null }
  })

/** Makes a ticket wait without user and queue (OP-85). Refuses with ERR_TICKET_NOT_OPEN. */
export const returnToQueue = (scope: Scope, ticketId: number) =>
  change(scope, ticketId, 'returned', async (_tx, before) =>
    before.status === 'closed'
      ? refuse('ERR_TICKET_NOT_OPEN')
      : { status: 'pending', userId: null, queueId: null },
  )

/** Moves a ticket to a queue, and to a user where one is named: with a user it is open, else pending. */
export const transfer = (
  scope: Scope,
  ticketId: number,
  to: { queueId?: number | null; userId?: number | null; whatsappId?: number },
  { quietly = false }: { quietly?: boolean } = {},
) =>
  change(
    scope,
    ticketId,
    'transferred',
    async (tx, before) => {
      if (to.whatsappId !== undefined && to.whatsappId !== before.whatsappId && before.whatsappId !== null)
        if (!may(viewerOf(scope), 'ticket-options:transferWhatsapp'))
          refuse('ERR_NO_PERMISSION', { field: 'whatsappId' })
      await ticketIdsInCompany(tx, to)
      const userId = to.userId ?? null
      const { queueId = before.queueId, whatsappId = before.whatsappId } = to
      const state = { status: userId === null ? ('pending' as const) : ('open' as const), userId, queueId }
      if (whatsappId === before.whatsappId) return { ...state, whatsappId }
      return { ...state, whatsappId, repliesUntil: await repliesUntilOn(tx, before.contactId, whatsappId) }
    },
    { quietly },
  )

/** Reopens a ticket for the caller. Refuses with ERR_OTHER_OPEN_TICKET where it may not stand beside another. */
export const reopen = (scope: Scope, ticketId: number) =>
  change(scope, ticketId, 'reopened', async (_tx, before) =>
    before.status === 'open' ? null : { status: 'open', userId: viewerOf(scope).id },
  )

/** Reopens a ticket for the user who attended it, because the customer wrote. */
export const reopenForOwner = (scope: Scope, ticketId: number) =>
  change(scope, ticketId, 'reopened', async (_tx, { userId }) => ({ status: 'open', userId }))

/**
 * Every move of a ticket: row, history and event in one transaction. `null` moves nothing. `quietly`: no message to the
 * customer; `unseen`: `decide` checks the visibility.
 */
export function change(
  scope: Scope,
  ticketId: number,
  what: HistoryKind,
  decide: (tx: Tx, before: TicketRow) => Promise<Move | null>,
  { quietly = false, unseen = false }: { quietly?: boolean; unseen?: boolean } = {},
): Promise<Ticket> {
  const work = scope.transaction(async tx => {
    const row = await lockTicket(tx, ticketId)
    if (!row || !(unseen || visible(scope, row))) return refuse('ERR_NO_TICKET_FOUND')
    const decided = await decide(tx, row)
    if (!decided) return ticketShownTo(tx, (await loadTicket(tx, ticketId))!)
    const { closing = null, ...move } = decided
    const before = ticketState(row)
    const closes = move.status === 'closed' && row.status !== 'closed'
    const also = { ...(what === 'accepted' && { unreadMessages: 0 }), closedAt: closes ? now() : null }
    // a move ends a snooze
    if (row.snoozedUntil !== null) move.snoozedUntil = null
    const revival = row.status === 'closed' && move.status !== 'closed' && (await revive(tx, row, move, what))
    await updateTicket(tx, ticketId, { ...move, ...also, ...revival, updatedAt: now() })
    await writeHistories(tx, what, [{ ticketId, from: before, to: { ...before, ...move }, closing }])
    const ticket = (await loadTicket(tx, ticketId))!
    tx.emit(ticketChanged, { ticket, before, by: actorOf(scope), transfer: what === 'transferred', closing })
    await tx.involve(ticketPlaced, { ticket, before, what })
    if (scope.viewer && !quietly && !closing?.spam) await tx.involve(ticketMoved, { ticket, before })
    return ticketShownTo(tx, ticket)
  })
  return work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'tickets_one_living')) return refuse('ERR_OTHER_OPEN_TICKET')
    throw error
  })
}

/**
 * What changes with a closed ticket that comes back: its customer waits since now, unless the closing is taken back. Refuses
 * with ERR_OTHER_OPEN_TICKET where it may not stand beside another; one that stood beside it before its closing may.
 */
async function revive(tx: Tx, row: TicketRow, move: Move, what: HistoryKind): Promise<Partial<TicketRow>> {
  const waits = what !== 'undone' && row.waitingSince !== null ? { waitingSince: now() } : {}
  if (!tx.viewer) return waits
  const since = what === 'undone' ? (row.closedAt ?? '') : ''
  const others = (await livingOf(tx, row.contactId)).filter(({ createdAt }) => createdAt > since)
  const { whatsappId, queueId } = { ...row, ...move }
  const several = tx.viewer.authorization.allowMultipleTickets === 1
  const parallel = isParallel(others, { whatsappId, queueId }, { several })
  return others.length > 0 || what !== 'undone' ? { ...waits, parallel } : waits
}

const now = () => databaseTime()

/** Records a move in the history that conversations and time reports show. */
export async function writeHistory(
  tx: Tx,
  ticketId: number,
  what: HistoryKind,
  from: TicketState | null,
  to: TicketState,
) {
  await writeHistories(tx, what, [{ ticketId, from, to }])
}

/** The same of many tickets, each named once. */
export async function writeHistories(tx: Tx, what: HistoryKind, moved: Moved[]): Promise<void> {
  const written = await insertHistories(tx, what, moved)
  for (const [at, { from, to }] of moved.entries()) tx.emit(historyWritten, { ...written[at]!, from, to })
}
