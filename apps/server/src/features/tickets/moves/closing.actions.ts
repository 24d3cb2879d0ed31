import { may } from '@balcao/contract/permissions.rules.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { type ClosingAsked, closingFor } from '../../closingReasons/closingReasons.actions.ts'
import { resetBot } from '../../contacts/contacts.actions.ts'
import type { HistoryKind } from '../tickets.events.ts'
import { visible } from '../tickets.queries.ts'
import { lastMove, selectIdle, selectNotClosed } from './closing.queries.ts'
import { change } from './moves.actions.ts'
import { stillThere } from './moves.queries.ts'

/**
 * Closes a ticket in the name of the caller. A pending one only by who may resolve many (ERR_NO_PERMISSION). Refuses a reason,
 * or a user without one, as `closingFor` does.
 */
export const resolve = (scope: Scope, ticketId: number, asked: ClosingAsked = {}) =>
  close(scope, ticketId, asked, { quietly: false })

/** The same without a message to the customer. */
export const resolveQuietly = (scope: Scope, ticketId: number, asked: ClosingAsked = {}) =>
  close(scope, ticketId, asked, { quietly: true })

/**
 * Resolves those of the tickets that are not closed yet, each in its own transaction. Returns how many. None is resolved where
 * the queue of one refuses the reason, or to be resolved without one.
 */
export async function resolveMany(
  scope: Scope,
  ticketIds: number[],
  asked: ClosingAsked = {},
): Promise<number> {
  const living = await scope.transaction(async tx => {
    const found = await selectNotClosed(tx, ticketIds)
    for (const queueId of new Set(found.map(one => one.queueId))) await closingFor(tx, queueId, asked)
    return found
  })
  // quietly: a thousand farewells at once would get the number banned
  for (const { id } of living) await resolveQuietly(scope, id, asked)
  return living.length
}

/** Closes a pending ticket that needs no answer, without a message to the customer; an open one stays. */
export const closeUnanswered = async (tx: Tx, ticketId: number): Promise<void> => {
  await change(
    tx,
    ticketId,
    'resolved',
    async (_tx, { status }) => (status === 'pending' ? { status: 'closed' } : null),
    { quietly: true },
  )
}

const close = (scope: Scope, ticketId: number, asked: ClosingAsked, { quietly }: { quietly: boolean }) =>
  change(
    scope,
    ticketId,
    'resolved',
    async (tx, before) => {
      if (before.status === 'closed') return null
      const me = scope.viewer
      if (before.status === 'pending' && me && !may(me, 'tickets:resolveMany')) refuse('ERR_NO_PERMISSION')
      const closing = await closingFor(tx, before.queueId, asked)
      await resetBot(tx, before.contactId)
      return { status: 'closed', userId: me?.id ?? before.userId, closing }
    },
    { quietly },
  )

/** Closes an open ticket without activity since; a message that arrived meanwhile keeps it open. */
export const closeIdle = (scope: Scope, ticketId: number, since: string) =>
  change(scope, ticketId, 'resolved', async (tx, before) => {
    if (before.status !== 'open' || before.snoozedUntil !== null || before.updatedAt >= since) return null
    await resetBot(tx, before.contactId)
    return { status: 'closed' }
  })

/** Closes the open tickets of a company without activity for these hours. Returns how many were found. */
export async function closeIdleTicketsOf(scope: Scope, hours: number): Promise<number> {
  const since = idleSince(hours)
  const found = await scope.read(tx => selectIdle(tx.sql, since))
  for (const { id } of found) await closeIdle(scope, id, since)
  return found.length
}

const HOUR_MS = 3_600_000
export const idleSince = (hours: number) => new Date(databaseNow() - hours * HOUR_MS).toISOString()

/** How long a move can be undone: longer than the screen offers it, for a slow network. */
export const UNDO_MS = 30_000
const undoable = new Set<HistoryKind>(['accepted', 'returned', 'transferred', 'resolved', 'reopened'])

/**
 * Reverts the caller's own last move, also of a ticket no longer visible to the caller. ERR_TICKET_MOVED_ON when it is
 * too late, the ticket moved since, or its user or queue was deleted. No message to the customer is withdrawn or repeated.
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
      if (
        !own ||
        !last.fromStatus ||
        !undoable.has(last.what) ||
        Date.parse(last.at) < databaseNow() - UNDO_MS
      )
        return refuse('ERR_TICKET_MOVED_ON')
      if (!(await stillThere(tx, last.fromUserId, last.fromQueueId))) refuse('ERR_TICKET_MOVED_ON')
      return { status: last.fromStatus, userId: last.fromUserId, queueId: last.fromQueueId }
    },
    { quietly: true, unseen: true },
  )
