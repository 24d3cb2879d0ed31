import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/sockets.ts'
import { chores, jobs } from './accounts.jobs.ts'
import { routes } from './accounts.routes.ts'
import { sessionsEnded } from './accounts.sessions.ts'

export const accounts: Feature = {
  name: 'accounts',
  routes,
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
