import { within } from '../../platform/events.ts'
import { contactDeleting, contactExported } from '../contacts/contacts.events.ts'
import { responds } from '../messages/inbound/responders.actions.ts'
import { userDeleting } from '../users/users.events.ts'
import { onStopWord } from './optOuts.actions.ts'
import { disown, hideNumbers, optOutOf } from './optOuts.queries.ts'

export const reacts = [
  within(contactDeleting, (tx, { keys }) => hideNumbers(tx, keys)),
  within(contactExported, async (tx, { contactId, data }) => {
    data.optOut = await optOutOf(tx, contactId)
  }),
  responds('optOuts', onStopWord),
  within(userDeleting, (tx, { userId }) => disown(tx, userId)),
]
