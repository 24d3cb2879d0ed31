import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import {
  mediaTopic,
  mediaWanted,
  operationRequested,
  operationTopic,
  outboxFilled,
  outboxTopic,
} from './messages.events.ts'
import { countFailed } from './messages.jobs.ts'
import { live } from './messages.live.ts'
import { reacts } from './messages.reacts.ts'
import { routes } from './messages.routes.ts'
import { lateIndexes } from './messages.table.ts'

export const messages: Feature = {
  name: 'messages',
  routes,
  live,
  reacts,
  chores: [countFailed],
  lateIndexes,
  nudges: [
    nudge(
      outboxFilled,
      ({ whatsappId }) => outboxTopic(whatsappId),
      ({ messageId }) => messageId,
    ),
    nudge(
      operationRequested,
      ({ whatsappId }) => operationTopic(whatsappId),
      ({ messageId }) => messageId,
    ),
    nudge(mediaWanted, ({ whatsappId }) => mediaTopic(whatsappId)),
  ],
}
