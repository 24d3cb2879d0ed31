import { within } from '../../platform/events.ts'
import { userDeleting } from '../users/users.events.ts'
import { leaveViews } from './views.queries.ts'

export const reacts = [within(userDeleting, (tx, { userId }) => leaveViews(tx, userId))]
