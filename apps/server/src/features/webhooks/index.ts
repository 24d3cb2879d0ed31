import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { webhookDue } from '../../platform/outbound/webhook-deliveries.ts'
import { dueTopic } from '../../platform/work/due.ts'
import { carriedOfWebhooks } from './webhooks.carried.queries.ts'
import { deliveryWritten, SUBSCRIBED_TOPIC, webhooksChanged } from './webhooks.events.ts'
import { webhookFigures } from './webhooks.figures.queries.ts'
import { jobs } from './webhooks.jobs.ts'
import { live } from './webhooks.live.ts'
import { reacts } from './webhooks.reacts.ts'
import { routes } from './webhooks.routes.ts'
import { sealedOfWebhooks } from './webhooks.table.ts'
import { outbox } from './webhooks.worker.ts'

const NAME = 'webhooks'

export const webhooks: Feature = {
  name: NAME,
  routes,
  live,
  reacts: [
    ...reacts,
    signal(deliveryWritten, () => dueTopic(NAME)),
    signal(webhooksChanged, () => SUBSCRIBED_TOPIC),
  ],
  jobs: [...carriedOfWebhooks, ...jobs, webhookDue(NAME, outbox), ...sealedOfWebhooks, webhookFigures],
}
