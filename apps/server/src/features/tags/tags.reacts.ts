import { within } from '../../platform/events.ts'
import { userDeleting } from '../users/users.events.ts'
import { disownTags } from './tags.queries.ts'

export const reacts = [within(userDeleting, (tx, { userId }) => disownTags(tx, userId))]
