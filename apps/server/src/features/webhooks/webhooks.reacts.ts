import type { WebhookEvent } from '@balcao/contract/webhooks.ts'
import { transactionEnding, type WithinTools, within } from '../../platform/events.ts'
import { perProduct } from '../../platform/memory.ts'
import { traced } from '../../platform/observe/trace.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { bequeathWebhooks } from './webhooks.actions.ts'
import { deliveryWritten, SUBSCRIBED_TOPIC } from './webhooks.events.ts'
import {
  activeWebhooksOf,
  blankDeliveries,
  deleteDeliveriesOf,
  subscriptions,
  writeDeliveries,
} from './webhooks.queries.ts'
import { deletedIn, notificationsOf } from './webhooks.rules.ts'

export const reacts = [
  // adds a delivery to the outbox of each subscribed webhook, in the commit that emitted the events
  within(transactionEnding, async (tx, { emitted }, tools) => {
    const deleted = deletedIn(emitted)
    if (deleted.length > 0) await blankDeliveries(tx, deleted)
    const notifications = notificationsOf(emitted, tools.backendUrl).filter(({ event }) =>
      maySubscribe(tools, tx.companyId, event),
    )
    if (notifications.length === 0) return
    await writeDeliveries(tx, notifications)
    tx.emit(deliveryWritten, {})
  }),
  within(ticketsLeaving, async (tx, { ticketIds, isForgotten }) => {
    if (isForgotten) await deleteDeliveriesOf(tx, ticketIds)
  }),
  within(userDeleting, (tx, { userId, heirId }) => bequeathWebhooks(tx, userId, heirId)),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'webhooks', ...(await activeWebhooksOf(tx, userId)) })
  }),
]

/** How long (ms) the cache is used without a refresh, should the signal of another process be lost. */
const FRESH_MS = 10_000

/** The events that webhooks of each company subscribe to. */
interface Cache {
  companies: Map<number, Set<WebhookEvent>> | null
  at: number
  isLoading: boolean
  /** Rises with every signal: what was read before it is outdated. */
  changes: number
}

const NEVER = Number.NEGATIVE_INFINITY

const cacheOf = perProduct(({ signals }: WithinTools): Cache => {
  const cache: Cache = { companies: null, at: NEVER, isLoading: false, changes: 0 }
  signals.listen(SUBSCRIBED_TOPIC, () => {
    cache.changes++
    cache.companies = null
    cache.at = NEVER
  })
  return cache
})

/**
 * Whether a webhook of the company may subscribe to this event, without a query: a company without webhooks costs none.
 * Until it is known the answer is yes; the statement that writes deliveries decides.
 */
function maySubscribe(tools: WithinTools, companyId: number, event: WebhookEvent): boolean {
  const cache = cacheOf(tools)
  if (performance.now() - cache.at > FRESH_MS) load(tools, cache)
  return cache.companies === null || (cache.companies.get(companyId)?.has(event) ?? false)
}

/** In the background, not awaited. */
function load({ scopes, log, stopping }: WithinTools, cache: Cache): void {
  if (cache.isLoading || stopping()) return
  cache.isLoading = true
  const { changes } = cache
  const found = traced(undefined, () => scopes.platform().transaction(subscriptions))
  found
    .then(rows => {
      if (changes !== cache.changes) return
      cache.companies = new Map(rows.map(({ companyId, events }) => [companyId, new Set(events)]))
      cache.at = performance.now()
    })
    .catch(error => {
      cache.at = performance.now()
      if (!stopping()) log.warn({ err: error }, 'who has webhooks was not found out')
    })
    .finally(() => {
      cache.isLoading = false
    })
}
