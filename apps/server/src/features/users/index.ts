import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { carriedOfUsers } from './users.carried.queries.ts'
import { editsLifetime } from './users.edits.queries.ts'
import { userChanged, userRemoved } from './users.events.ts'
import { live } from './users.live.ts'
import { reacts } from './users.reacts.ts'
import { routes } from './users.routes.ts'

export const users: Feature = {
  name: 'users',
  routes,
  jobs: [...carriedOfUsers, editsLifetime],
  live,
  reacts: [
    ...reacts,
    signal(
      userChanged,
      () => VIEWER_TOPIC,
      ({ user }) => user.id,
    ),
    signal(
      userRemoved,
      () => VIEWER_TOPIC,
      ({ userId }) => userId,
    ),
  ],
}
