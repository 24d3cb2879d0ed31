import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { outboxFilled, outboxTopic } from './messages.events.ts'
import { live } from './messages.live.ts'
import { reacts } from './messages.reacts.ts'
import { routes } from './messages.routes.ts'

export const messages: Feature = {
  name: 'messages',
  routes,
  live,
  reacts,
  nudges: [nudge(outboxFilled, ({ whatsappId }) => outboxTopic(whatsappId))],
}
