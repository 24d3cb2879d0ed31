import { within } from '../../platform/events.ts'
import { credentialsChanged } from '../users/users.events.ts'
import { dropLinks } from './accounts.actions.ts'

export const reacts = [within(credentialsChanged, (tx, { userId }) => dropLinks(tx, userId))]
