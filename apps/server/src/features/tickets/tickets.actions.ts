import { may } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq, inArray, ne } from '../../platform/sql.ts'
import { resetBot } from '../contacts/contacts.actions.ts'
import { holderOf, ticketIdsInCompany } from './tickets.checks.ts'
import {
  type TicketStanding,
  ticketChanged,
  ticketMoved,
  ticketPlaced,
  ticketRead,
  ticketRemoved,
  ticketsLeaving,
} from './tickets.events.ts'
import { actorOf, type HistoryKind, lastMove, writeHistory } from './tickets.history.ts'
import { loadTicket, lockTicket, type TicketRow, ticketShownTo, visible } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'
import { repliesUntilOn } from './tickets.window.ts'

type Move = Partial<TicketStanding & { whatsappId: number | null; repliesUntil: string | null }>

/**
 * An attendant takes a waiting ticket, with the ticket's queue or the one given. Of two who do so at once one
 * wins; the other is refused with ERR_TICKET_TAKEN and the winner's name. ERR_OTHER_OPEN_TICKET when a closed
 * one would come back beside a living one.
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

/** Back to those who wait: no user, no queue (OP-85). */
export const returnToQueue = (scope: Scope, ticketId: number) =>
  change(scope, ticketId, 'returned', async (_tx, before) =>
    before.status === 'closed'
      ? refuse('ERR_TICKET_NOT_OPEN')
      : { status: 'pending', userId: null, queueId: null },
  )

/** Hands a ticket to a queue, and to a person when one is named: with a person it is open, else pending. */
export const transfer = (
  scope: Scope,
  ticketId: number,
  to: { queueId?: number | null; userId?: number | null; whatsappId?: number },
) =>
  change(scope, ticketId, 'transferred', async (tx, before) => {
    if (to.whatsappId !== undefined && to.whatsappId !== before.whatsappId && before.whatsappId !== null)
      if (!may(viewerOf(scope), 'ticket-options:transferWhatsapp'))
        refuse('ERR_NO_PERMISSION', { field: 'whatsappId' })
    await ticketIdsInCompany(tx, to)
    const userId = to.userId ?? null
    const { queueId = before.queueId, whatsappId = before.whatsappId } = to
    const place = { status: userId === null ? ('pending' as const) : ('open' as const), userId, queueId }
    if (whatsappId === before.whatsappId) return { ...place, whatsappId }
    return { ...place, whatsappId, repliesUntil: await repliesUntilOn(tx, before.contactId, whatsappId) }
  })

/** Ends a conversation in the name of who did it. Waiting tickets only admins may end unread. */
export const resolve = (scope: Scope, ticketId: number) => end(scope, ticketId, false)

const end = (scope: Scope, ticketId: number, quietly: boolean) =>
  change(
    scope,
    ticketId,
    'resolved',
    async (tx, before) => {
      if (before.status === 'closed') return null
      const me = scope.viewer
      if (before.status === 'pending' && me && !may(me, 'tickets:resolveMany')) refuse('ERR_NO_PERMISSION')
      await resetBot(tx, before.contactId)
      return { status: 'closed', userId: me?.id ?? before.userId }
    },
    { quietly },
  )

/** The house ends an open ticket in which nothing happened since; a message that came meanwhile keeps it open. */
export const closeIdle = (scope: Scope, ticketId: number, since: string) =>
  change(scope, ticketId, 'resolved', async (tx, before) => {
    if (before.status !== 'open' || before.updatedAt >= since) return null
    await resetBot(tx, before.contactId)
    return { status: 'closed' }
  })

export const reopen = (scope: Scope, ticketId: number) =>
  change(scope, ticketId, 'reopened', async (_tx, before) =>
    before.status === 'open' ? null : { status: 'open', userId: viewerOf(scope).id },
  )

/** How long after a move its author may take it back: what the screen offers, and a slow line. */
const UNDO_MS = 30_000

/**
 * Takes the caller's own last move back, also of a ticket that left his sight by it. ERR_TICKET_MOVED_ON when it is too
 * late or somebody moved it since. What was said to the customer meanwhile stays said, and nothing is said again.
 */
export const undo = (scope: Scope, ticketId: number) =>
  change(
    scope,
    ticketId,
    'undone',
    async (tx, before) => {
      const last = await lastMove(tx, ticketId)
      const own = last !== null && last.byUserId === viewerOf(scope).id
      if (!own && !visible(scope, before)) return refuse('ERR_NO_TICKET_FOUND')
      if (!own || !last.fromStatus || !undoable.has(last.what) || Date.parse(last.at) < Date.now() - UNDO_MS)
        return refuse('ERR_TICKET_MOVED_ON')
      return { status: last.fromStatus, userId: last.fromUserId, queueId: last.fromQueueId }
    },
    { quietly: true, unseen: true },
  )

const undoable = new Set<HistoryKind>(['accepted', 'returned', 'transferred', 'resolved', 'reopened'])

/** Resolves those of the named tickets that are not closed yet; each in its own transaction. Answers how many. */
export async function resolveMany(scope: Scope, ticketIds: number[]): Promise<number> {
  const waiting = await scope.transaction(tx =>
    tx.sql
      .select({ id: tickets.id })
      .from(tickets)
      .where(
        and(
          eq(tickets.companyId, tx.companyId),
          inArray(tickets.id, ticketIds),
          ne(tickets.status, 'closed'),
        ),
      ),
  )
  // a thousand farewells at once would get the number banned
  for (const { id } of waiting) await end(scope, id, true)
  return waiting.length
}

/** Deletes a ticket with its messages and history. Refuses with ERR_NO_TICKET_FOUND. */
export const remove = (scope: Scope, ticketId: number) =>
  scope.transaction(async tx => {
    const place = (await lockTicket(tx, ticketId)) ?? refuse('ERR_NO_TICKET_FOUND')
    await tx.involve(ticketsLeaving, { ticketIds: [ticketId] })
    await tx.sql.delete(tickets).where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
    tx.emit(ticketRemoved, { ticketId, place: placeOf(place) })
  })

/** Nothing waits to be read any more. True when something did. */
export const markRead = (scope: Scope, ticketId: number) =>
  scope.transaction(async tx => {
    const before = await lockTicket(tx, ticketId)
    if (!before || before.unreadMessages === 0) return false
    const version = before.version + 1
    await save(tx, ticketId, { unreadMessages: 0, version })
    tx.emit(ticketRead, { ticketId, version, place: placeOf(before) })
    return true
  })

/**
 * The only way a ticket moves: one row, one line of history, one event, one commit. `null` moves nothing. `quietly`
 * nothing is said to the customer; `unseen`: the decision itself asks whether the caller may.
 */
function change(
  scope: Scope,
  ticketId: number,
  what: HistoryKind,
  decide: (tx: Tx, before: TicketRow) => Promise<Move | null>,
  { quietly = false, unseen = false }: { quietly?: boolean; unseen?: boolean } = {},
): Promise<Ticket> {
  const work = scope.transaction(async tx => {
    const before = await lockTicket(tx, ticketId)
    if (!before || !(unseen || visible(scope, before))) return refuse('ERR_NO_TICKET_FOUND')
    const move = await decide(tx, before)
    if (!move) return ticketShownTo(tx, (await loadTicket(tx, ticketId))!)
    const closing = move.status === 'closed' && before.status !== 'closed'
    const leaving = { ...(what === 'accepted' && { unreadMessages: 0 }), closedAt: closing ? now() : null }
    await save(tx, ticketId, { ...move, ...leaving, version: before.version + 1, updatedAt: now() })
    await writeHistory(tx, ticketId, what, placeOf(before), { ...placeOf(before), ...move })
    const ticket = (await loadTicket(tx, ticketId))!
    tx.emit(ticketChanged, {
      ticket,
      before: placeOf(before),
      by: actorOf(scope),
      transfer: what === 'transferred',
    })
    await tx.involve(ticketPlaced, { ticket, before: placeOf(before), what })
    if (scope.viewer && !quietly) await tx.involve(ticketMoved, { ticket, before: placeOf(before) })
    return ticketShownTo(tx, ticket)
  })
  return work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'tickets_one_living')) return refuse('ERR_OTHER_OPEN_TICKET')
    throw error
  })
}

const save = (tx: Tx, ticketId: number, fields: Partial<typeof tickets.$inferInsert>) =>
  tx.sql
    .update(tickets)
    .set(fields)
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))

const placeOf = ({ status, queueId, userId }: TicketStanding): TicketStanding => ({ status, queueId, userId })
const now = () => new Date().toISOString()
