import { within } from '../../platform/events.ts'
import { userDeleting } from '../users/users.events.ts'
import { disownCategories } from './categories.queries.ts'

export const reacts = [within(userDeleting, (tx, { userId }) => disownCategories(tx, userId))]
