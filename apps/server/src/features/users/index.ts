import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { userChanged, userRemoved } from './users.events.ts'
import { live } from './users.live.ts'
import { reacts } from './users.reacts.ts'
import { routes } from './users.routes.ts'

export const users: Feature = {
  name: 'users',
  routes,
  live,
  reacts,
  nudges: [
    nudge(
      userChanged,
      () => VIEWER_TOPIC,
      ({ user }) => user.id,
    ),
    nudge(
      userRemoved,
      () => VIEWER_TOPIC,
      ({ userId }) => userId,
    ),
  ],
}
