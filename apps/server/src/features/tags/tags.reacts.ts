import { within } from '../../platform/events.ts'
import { userLeaving } from '../users/users.events.ts'
import { disownTags } from './tags.queries.ts'

export const reacts = [within(userLeaving, (tx, { userId }) => disownTags(tx, userId))]
