import { within } from '../../platform/events.ts'
import { credentialsChanged } from '../users/users.events.ts'
import { deleteSessionsOf } from './auth.queries.ts'

export const reacts = [
  within(credentialsChanged, async (tx, { userId, keptSession }) => {
    await deleteSessionsOf(tx, userId, keptSession)
  }),
]
