import { companyCache } from '../../platform/company-cache.ts'
import {
  type PayloadOf,
  payloadOf,
  signal,
  transactionEnding,
  type WithinTools,
  within,
} from '../../platform/events.ts'
import { dueTopic } from '../../platform/work/due.ts'
import { availabilitySettled } from '../availability/availability.events.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'
import { userDeleting } from '../users/users.events.ts'
import { wake, wakeFor } from './assignment.actions.ts'
import { ASSIGNING_TOPIC, assigningChanged, assignmentWanted } from './assignment.events.ts'
import { ASSIGN } from './assignment.jobs.ts'
import { assigningQueues, forgetTurnsOf } from './assignment.queries.ts'

export const reacts = [
  // wakes the queues in which tickets wait since this commit, and those of attendants who have one less
  within(transactionEnding, async (tx, { emitted }, tools) => {
    if (!mayAssign(tools, tx.companyId)) return
    const changes = emitted.flatMap(one => payloadOf(ticketChanged, one) ?? [])
    const queueIds = changes.flatMap(({ ticket }) =>
      isWaiting(ticket) && ticket.queueId !== null && mayAssign(tools, tx.companyId, ticket.queueId)
        ? [ticket.queueId]
        : [],
    )
    if (queueIds.length > 0) await wake(tx, [...new Set(queueIds)])
    const freed = changes.flatMap(one => (isFreed(one) ? [one.before!.userId!] : []))
    if (freed.length > 0) await wakeFor(tx, [...new Set(freed)], 'closed')
  }),
  within(availabilitySettled, async (tx, { changes }, tools) => {
    if (!mayAssign(tools, tx.companyId)) return
    const back = changes.filter(({ state }) => state === 'available').map(({ userId }) => userId)
    if (back.length > 0) await wakeFor(tx, back, 'back')
  }),
  within(userDeleting, async (tx, { userId }) => void (await forgetTurnsOf(tx, userId))),
  signal(assignmentWanted, () => dueTopic(ASSIGN)),
  signal(assigningChanged, () => ASSIGNING_TOPIC),
]

type Changed = PayloadOf<typeof ticketChanged>

const isWaiting = ({ status, userId, withBot, snoozedUntil }: Changed['ticket']) =>
  status === 'pending' && userId === null && !withBot && !snoozedUntil

/** An attendant has one open ticket less. */
const isFreed = ({ before, ticket }: Changed) =>
  before?.status === 'open' &&
  before.userId !== null &&
  (ticket.status !== 'open' || ticket.userId !== before.userId)

/** The queues of each company that give their tickets. */
const assigning = companyCache(ASSIGNING_TOPIC, 'which queues give their tickets', async sql => {
  const byCompany = Map.groupBy(await assigningQueues(sql), ({ companyId }) => companyId)
  return [...byCompany].map(
    ([companyId, own]) => [companyId, new Set(own.map(({ queueId }) => queueId))] as const,
  )
})

/**
 * Whether a company, or a queue of it, may give tickets by itself, without a query: others pay nothing. Until it is known
 * the answer is yes; the statement that writes the wake decides.
 */
function mayAssign(tools: WithinTools, companyId: number, queueId?: number): boolean {
  const known = assigning(tools)
  if (known === null) return true
  const queues = known.get(companyId)
  return queues !== undefined && (queueId === undefined || queues.has(queueId))
}
