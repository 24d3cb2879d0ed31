import { within } from '../../platform/events.ts'
import { userLeaving } from '../users/users.events.ts'
import { forgetMaker } from './categories.queries.ts'

export const reacts = [within(userLeaving, (tx, { userId }) => forgetMaker(tx, userId))]
