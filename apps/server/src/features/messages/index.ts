import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { outboxFilled, outboxTopic } from './messages.events.ts'
import { live } from './messages.live.ts'
import { routes } from './messages.routes.ts'

export const messages: Feature = {
  name: 'messages',
  routes,
  live,
  nudges: [nudge(outboxFilled, ({ whatsappId }) => outboxTopic(whatsappId))],
}
