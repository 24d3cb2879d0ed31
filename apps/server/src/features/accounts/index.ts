import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { sessionsEnded } from './accounts.events.ts'
import { jobs } from './accounts.jobs.ts'
import { reacts } from './accounts.reacts.ts'
import { routes } from './accounts.routes.ts'

export const accounts: Feature = {
  name: 'accounts',
  routes,
  jobs,
  reacts: [
    ...reacts,
    signal(
      sessionsEnded,
      () => VIEWER_TOPIC,
      ({ userId }) => userId,
    ),
  ],
}
