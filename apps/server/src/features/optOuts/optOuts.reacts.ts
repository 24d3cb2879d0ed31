import { within } from '../../platform/events.ts'
import { customerWrote } from '../messages/messages.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { hearStopWord } from './optOuts.actions.ts'
import { disown } from './optOuts.queries.ts'

export const reacts = [
  within(customerWrote, hearStopWord),
  within(userLeaving, (tx, { userId }) => disown(tx, userId)),
]
