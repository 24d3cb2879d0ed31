import { signal, within } from '../../platform/events.ts'
import { VIEWER_TOPIC } from '../../platform/live/sockets.ts'
import { credentialsChanged } from '../users/users.events.ts'
import { hoursEnded } from './auth.events.ts'
import { deleteSessionsOf } from './auth.queries.ts'

export const reacts = [
  within(credentialsChanged, async (tx, { userId, keptSession }) => {
    await deleteSessionsOf(tx, userId, keptSession)
  }),
  signal(
    hoursEnded,
    () => VIEWER_TOPIC,
    ({ userId }) => userId,
  ),
]
