import type { Assignment, AssignmentInput, WaitingReason } from '@balcao/contract/assignment.ts'
import { databaseNow, databaseTime } from '../../platform/clock.ts'
import { BELIEVED_MS } from '../../platform/company-cache.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { availableAmong } from '../availability/availability.state.queries.ts'
import { isOpenNow } from '../businessHours/businessHours.queries.ts'
import { lockQueue } from '../queues/queues.queries.ts'
import { giveTickets, takeBack } from '../tickets/moves/assign.actions.ts'
import { assigningChanged, assignmentChanged, assignmentWanted } from './assignment.events.ts'
import {
  type AssignmentRow,
  assignmentOr,
  findAssignment,
  holdAvailability,
  laterReturns,
  leftAlone,
  lockAssigning,
  lockMembers,
  longestWaiting,
  settleQueue,
  takeWakes,
  viewersOf,
  waitingIn,
  waitingWith,
  wakeQueues,
  wakeQueuesOf,
  writeAssignment,
} from './assignment.queries.ts'
import { type Candidate, type Dealing, type Dealt, deal, givable, whyWaits } from './assignment.rules.ts'

/** Tickets of one commit. */
const AT_ONCE = 50
/** By then every process knows how a queue gives its tickets, also where the signal was lost. */
const inAWhile = () => new Date(databaseNow() + BELIEVED_MS).toISOString()
/** How often it is looked for tickets of absent attendants. */
const RETURNS_SECONDS = 20

/** Sets who gets the next ticket of a queue; what waits is given at once. Refuses with ERR_NO_QUEUE_FOUND. */
export const changeAssignment = (
  scope: Scope,
  queueId: number,
  input: AssignmentInput,
): Promise<Assignment> =>
  scope.transaction(async tx => {
    await lockQueue(tx, queueId)
    await lockAssigning(tx)
    const rules = { ...(await findAssignment(tx, queueId)), ...input }
    const { mode, returnAfterMinutes, waitingReason } = rules
    const isManual = mode === 'manual'
    await writeAssignment(tx, queueId, {
      ...input,
      waitingReason: isManual ? null : waitingReason,
      // at once by the wake, and once more when other processes know of it: until then what they write wakes nothing
      lookAt: isManual ? null : inAWhile(),
      returnsAt: returnAfterMinutes === null ? null : databaseTime(),
    })
    await wakeQueues(tx, [queueId])
    const now = await findAssignment(tx, queueId)
    tx.emit(assignmentChanged, { queueId, mode, waitingReason: now.waitingReason })
    tx.emit(assigningChanged, {})
    tx.emit(assignmentWanted, {})
    return now
  })

/** Of these queues those that give their tickets look for whom to give what waits. */
export async function wake(tx: Tx, queueIds: number[]): Promise<void> {
  if (await wakeQueues(tx, queueIds)) tx.emit(assignmentWanted, {})
}

/** The same of the queues of users who became available, or who can take one more. */
export async function wakeFor(tx: Tx, userIds: number[], why: 'back' | 'closed'): Promise<void> {
  if (await wakeQueuesOf(tx, userIds, why === 'back' ? 'all' : 'limited')) tx.emit(assignmentWanted, {})
}

/**
 * Gives what waits in a queue to its members, some a commit. One at a time for each company, so that turns and capacities
 * hold; what no attendant can take waits, and the queue says why.
 */
export const assignQueue = (scope: Scope, queueId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lockAssigning(tx)
    await takeWakes(tx, queueId)
    const rules = await assignmentOr(tx, queueId)
    if (!rules || rules.mode === 'manual') return
    const { mode } = rules
    await settle(tx, rules, await giveSome(tx, { ...rules, mode }))
  })

interface Outcome {
  lastUserId: number | null
  /** Why what is left waits; null where nothing does. */
  reason: WaitingReason | null
}

async function giveSome(tx: Tx, rules: AssignmentRow & Dealing): Promise<Outcome> {
  const { queueId, lastUserId, capacity, waitingReason } = rules
  if (!(await longestWaiting(tx, queueId))) return { lastUserId, reason: null }
  if (rules.onlyWithinHours && (await isOpenNow(tx, { queueId })) === false)
    return { lastUserId, reason: 'outsideHours' }
  const present = await presentMembers(tx, queueId)
  const ids = await waitingIn(tx, queueId, { most: AT_ONCE, which: givable(present, capacity) })
  const dealt = deal(rules, await waitingWith(tx, ids, rules.stickyDays), present)
  const given = await give(tx, dealt.picks)
  const isMore = ids.length === AT_ONCE && dealt.picks.length > 0
  // one that was accepted meanwhile is no reason to wait, but the next look finds what it left
  if (isMore || given < dealt.picks.length) {
    await wake(tx, [queueId])
    return { lastUserId: dealt.lastUserId, reason: waitingReason }
  }
  const rest = await longestWaiting(tx, queueId)
  return {
    lastUserId: dealt.lastUserId,
    reason: rest && whyWaits(rest.ownerId, { members: dealt.members, capacity }),
  }
}

async function presentMembers(tx: Tx, queueId: number): Promise<Candidate[]> {
  const members = await lockMembers(tx, queueId)
  const ids = members.map(({ id }) => id)
  const available = new Set(await availableAmong(tx, ids))
  return members.filter(({ id }) => available.has(id))
}

async function give(tx: Tx, picks: Dealt['picks']): Promise<number> {
  if (picks.length === 0) return 0
  const viewers = await viewersOf(tx, [...new Set(picks.map(({ userId }) => userId))])
  return giveTickets(
    tx,
    picks.map(({ ticketId, userId }) => ({ ticketId, user: viewers.get(userId)! })),
  )
}

async function settle(tx: Tx, rules: AssignmentRow, { reason, lastUserId }: Outcome) {
  const { queueId, mode } = rules
  const isSame = rules.waitingReason === reason && rules.lastUserId === lastUserId && rules.lookAt === null
  if (isSame && reason === null) return
  await settleQueue(tx, queueId, { reason, lastUserId, again: reason !== null })
  if (rules.waitingReason !== reason) tx.emit(assignmentChanged, { queueId, mode, waitingReason: reason })
}

/**
 * What absent attendants had unanswered waits in its queue again, some a commit, and is given anew. Who is back keeps it:
 * availability does not change until the commit.
 */
export const returnUnanswered = (scope: Scope, queueId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lockAssigning(tx)
    const rules = await assignmentOr(tx, queueId)
    if (!rules || rules.returnAfterMinutes === null) return
    const { returnAfterMinutes: minutes } = rules
    const userIdsOf = (rows: { userId: number }[]) => [...new Set(rows.map(({ userId }) => userId))]
    await holdAvailability(tx, userIdsOf(await leftAlone(tx, queueId, minutes, AT_ONCE)))
    const left = await leftAlone(tx, queueId, minutes, AT_ONCE)
    const back = new Set(await availableAmong(tx, userIdsOf(left)))
    const returning = left.filter(({ userId }) => !back.has(userId))
    if (returning.length > 0) await takeBack(tx, returning)
    await laterReturns(tx, queueId, left.length < AT_ONCE ? RETURNS_SECONDS : 0)
    if (returning.length > 0) await wake(tx, [queueId])
  })
