import {
  type PayloadOf,
  payloadOf,
  signal,
  transactionEnding,
  type WithinTools,
  within,
} from '../../platform/events.ts'
import { perProduct } from '../../platform/memory.ts'
import { traced } from '../../platform/observe/trace.ts'
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

/** How long (ms) the cache is used without a refresh, should the signal of another process be lost. */
const FRESH_MS = 10_000

interface Cache {
  companies: Map<number, Set<number>> | null
  at: number
  isLoading: boolean
  /** Rises with every signal: what was read before it is outdated. */
  changes: number
}

const NEVER = Number.NEGATIVE_INFINITY

const cacheOf = perProduct(({ signals }: WithinTools): Cache => {
  const cache: Cache = { companies: null, at: NEVER, isLoading: false, changes: 0 }
  signals.listen(ASSIGNING_TOPIC, () => {
    cache.changes++
    cache.companies = null
    cache.at = NEVER
  })
  return cache
})

/**
 * Whether a company, or a queue of it, may give tickets by itself, without a query: others pay nothing. Until it is known
 * the answer is yes; the statement that writes the wake decides.
 */
function mayAssign(tools: WithinTools, companyId: number, queueId?: number): boolean {
  const cache = cacheOf(tools)
  if (performance.now() - cache.at > FRESH_MS) load(tools, cache)
  if (cache.companies === null) return true
  const queues = cache.companies.get(companyId)
  return queues !== undefined && (queueId === undefined || queues.has(queueId))
}

/** In the background, not awaited. */
function load({ scopes, log, stopping }: WithinTools, cache: Cache): void {
  if (cache.isLoading || stopping()) return
  cache.isLoading = true
  const { changes } = cache
  const found = traced(undefined, () => scopes.platform().transaction(assigningQueues))
  found
    .then(rows => {
      if (changes !== cache.changes) return
      const byCompany = Map.groupBy(rows, ({ companyId }) => companyId)
      cache.companies = new Map(
        [...byCompany].map(([companyId, own]) => [companyId, new Set(own.map(({ queueId }) => queueId))]),
      )
      cache.at = performance.now()
    })
    .catch(error => {
      cache.at = performance.now()
      if (!stopping()) log.warn({ err: error }, 'which queues give their tickets was not found out')
    })
    .finally(() => {
      cache.isLoading = false
    })
}
