import type { QueueTargets } from '@balcao/contract/targets.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { job } from '../../platform/work/jobs.ts'
import { keepZone } from '../businessHours/businessHours.queries.ts'
import { findQueue, holdQueues, lockQueue } from '../queues/queues.queries.ts'
import { change } from '../tickets/moves/moves.actions.ts'
import { ticketChanged, ticketState } from '../tickets/tickets.events.ts'
import { loadTicket, loadTickets, lockTicket } from '../tickets/tickets.queries.ts'
import { targetMissed } from './targets.events.ts'
import {
  escalationOf,
  raiseRevisions,
  setAnew,
  takeMissed,
  targetsOfQueue,
  turnClocks,
  upsertTargets,
} from './targets.queries.ts'
import { findMissed } from './targets.report.queries.ts'

/** Refuses with ERR_NO_QUEUE_FOUND. */
export const showTargets = (scope: Scope, queueId: number): Promise<QueueTargets> =>
  scope.read(async tx => {
    await findQueue(tx, queueId)
    return targetsOfQueue(tx, queueId)
  })

/** Changes what a queue promises; its tickets have their clocks from then on. Refuses with ERR_NO_QUEUE_FOUND. */
export const changeQueueTargets = (
  scope: Scope,
  queueId: number,
  input: { [Name in keyof QueueTargets]?: QueueTargets[Name] | undefined },
): Promise<QueueTargets> =>
  scope.transaction(async tx => {
    await lockQueue(tx, queueId)
    const before = await targetsOfQueue(tx, queueId)
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const wanted: QueueTargets = { ...before, ...given }
    if (wanted.moveToQueueId !== null) await holdQueues(tx, [wanted.moveToQueueId], 'moveToQueueId')
    if (JSON.stringify(wanted) === JSON.stringify(before)) return before
    await keepZone(tx)
    await upsertTargets(tx, queueId, wanted)
    await tx.enqueue(setClocksAnew, { queueId })
    return targetsOfQueue(tx, queueId)
  })

/** The hours of a queue, or of what it asks, changed: what is counted within them is counted anew. */
export async function countAnew(tx: Tx, queueId: number | null): Promise<void> {
  for (const id of await raiseRevisions(tx, queueId)) await tx.enqueue(setClocksAnew, { queueId: id })
}

/** Tickets of one commit. */
const PIECE = 100

export const setClocksAnew = job<{ queueId: number }>(
  'targets.anew',
  async (scope, { queueId }) => {
    let after: number | null = 0
    while (after !== null) after = await setPieceAnew(scope, queueId, after)
  },
  { minutes: 60 },
)

const setPieceAnew = (scope: Scope, queueId: number, after: number): Promise<number | null> =>
  scope.transaction(async tx => {
    const ids = await setAnew(tx, queueId, after, PIECE)
    for (const ticket of await loadTickets(tx, ids))
      tx.emit(ticketChanged, { ticket, before: ticketState(ticket), by: null, transfer: false })
    return ids.length < PIECE ? null : ids.at(-1)!
  })

/**
 * Looks at the clocks of a ticket that is due: what became late is announced once, and the ticket moves where its queue says
 * so. False when it was looked at meanwhile.
 */
export const lookAtClocks = (scope: Scope, ticketId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const row = await lockTicket(tx, ticketId)
    if (!row || !(await turnClocks(tx, ticketId))) return false
    const missed = await takeMissed(tx, ticketId)
    const state = ticketState(row)
    const to =
      missed.length > 0 && row.status !== 'closed' && row.queueId !== null
        ? await escalationOf(tx, ticketId, row.queueId)
        : null
    if (to !== null)
      await change(tx, ticketId, 'late', async () => ({ status: 'pending', userId: null, queueId: to }))
    else
      tx.emit(ticketChanged, {
        ...{ ticket: (await loadTicket(tx, ticketId))!, before: state },
        ...{ by: null, transfer: false },
      })
    for (const { id } of missed) {
      const found = await findMissed(tx, id)
      if (!found) continue
      tx.emit(targetMissed, { missed: found, state })
      await tx.involve(targetMissed, { missed: found, state })
    }
    return true
  })
