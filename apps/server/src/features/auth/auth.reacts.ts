import { within } from '../../platform/events.ts'
import { passwordChanged } from '../users/users.events.ts'
import { endSessions } from './auth.actions.ts'

export const reacts = [
  within(passwordChanged, (tx, { userId, keptSession }) => endSessions(tx, userId, keptSession)),
]
