import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { cloudTopic, deliveryKept } from './cloud.events.ts'
import { chores } from './cloud.jobs.ts'
import { routes } from './cloud.routes.ts'
import { webhook } from './cloud.webhook.ts'

export const cloud: Feature = {
  name: 'cloud',
  routes,
  raw: webhook(),
  chores,
  nudges: [nudge(deliveryKept, ({ whatsappId }) => cloudTopic(whatsappId))],
}
