import type { WebhookEvent } from '@balcao/contract/webhooks.ts'
import { companyCache } from '../../platform/company-cache.ts'
import { transactionEnding, type WithinTools, within } from '../../platform/events.ts'
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

/** The events that webhooks of each company subscribe to. */
const subscribed = companyCache(SUBSCRIBED_TOPIC, 'who has webhooks', async sql =>
  (await subscriptions(sql)).map(
    ({ companyId, events }) => [companyId, new Set<WebhookEvent>(events)] as const,
  ),
)

/**
 * Whether a webhook of the company may subscribe to this event, without a query: a company without webhooks costs none.
 * Until it is known the answer is yes; the statement that writes deliveries decides.
 */
function maySubscribe(tools: WithinTools, companyId: number, event: WebhookEvent): boolean {
  const known = subscribed(tools)
  return known === null || (known.get(companyId)?.has(event) ?? false)
}
