import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { sessionsEnded } from './accounts.events.ts'
import { chores, jobs } from './accounts.jobs.ts'
import { reacts } from './accounts.reacts.ts'
import { routes } from './accounts.routes.ts'

export const accounts: Feature = {
  name: 'accounts',
  routes,
  reacts,
  jobs,
  chores,
  nudges: [
    nudge(
      sessionsEnded,
      () => VIEWER_TOPIC,
      ({ userId }) => userId,
    ),
  ],
}
