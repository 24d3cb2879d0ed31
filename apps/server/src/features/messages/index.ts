import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { carriedOfMessages } from './messages.carried.queries.ts'
import {
  mediaTopic,
  mediaWanted,
  operationRequested,
  operationTopic,
  outboxFilled,
  outboxTopic,
} from './messages.events.ts'
import { messageFigures } from './messages.figures.queries.ts'
import { jobs } from './messages.jobs.ts'
import { live } from './messages.live.ts'
import { sealedOfMessages } from './messages.log.table.ts'
import { reacts } from './messages.reacts.ts'
import { routes } from './messages.routes.ts'
import { lateIndexes } from './messages.table.ts'

export const messages: Feature = {
  name: 'messages',
  routes,
  live,
  jobs: [...carriedOfMessages, ...jobs, ...lateIndexes, ...sealedOfMessages, ...messageFigures],
  reacts: [
    ...reacts,
    signal(
      outboxFilled,
      ({ whatsappId }) => outboxTopic(whatsappId),
      ({ messageId }) => messageId,
    ),
    signal(
      operationRequested,
      ({ whatsappId }) => operationTopic(whatsappId),
      ({ messageId }) => messageId,
    ),
    signal(mediaWanted, ({ whatsappId }) => mediaTopic(whatsappId)),
  ],
}
