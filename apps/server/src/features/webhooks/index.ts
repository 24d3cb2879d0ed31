import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { webhookDue } from '../../platform/outbound/webhook-deliveries.ts'
import { dueTopic } from '../../platform/work/due.ts'
import { deliveryWritten, SUBSCRIBED_TOPIC, webhooksChanged } from './webhooks.events.ts'
import { chores } from './webhooks.jobs.ts'
import { live } from './webhooks.live.ts'
import { reacts, records } from './webhooks.reacts.ts'
import { routes } from './webhooks.routes.ts'
import { outbox } from './webhooks.worker.ts'

const NAME = 'webhooks'

export const webhooks: Feature = {
  name: NAME,
  routes,
  live,
  reacts,
  records,
  chores,
  due: [webhookDue(NAME, outbox)],
  nudges: [nudge(deliveryWritten, () => dueTopic(NAME)), nudge(webhooksChanged, () => SUBSCRIBED_TOPIC)],
}
