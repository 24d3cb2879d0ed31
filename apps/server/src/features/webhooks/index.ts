import { dueTopic } from '../../platform/due.ts'
import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { webhookDue } from '../../platform/webhooks.due.ts'
import { outbox } from './webhooks.deliver.ts'
import { deliveryWritten, SUBSCRIBED_TOPIC, webhooksChanged } from './webhooks.events.ts'
import { chores } from './webhooks.jobs.ts'
import { live } from './webhooks.live.ts'
import { records } from './webhooks.reacts.ts'
import { routes } from './webhooks.routes.ts'

const NAME = 'webhooks'

export const webhooks: Feature = {
  name: NAME,
  routes,
  live,
  records,
  chores,
  due: [webhookDue(NAME, outbox)],
  nudges: [nudge(deliveryWritten, () => dueTopic(NAME)), nudge(webhooksChanged, () => SUBSCRIBED_TOPIC)],
}
