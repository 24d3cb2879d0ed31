import { within } from '../../platform/events.ts'
import { contactDeleting, contactExported } from '../contacts/contacts.events.ts'
import { looksUp } from '../messages/inbound/lookups.queries.ts'
import { responds } from '../messages/inbound/responders.actions.ts'
import { marketingChosen, marketingRefused } from '../messages/messages.events.ts'
import { userDeleting } from '../users/users.events.ts'
import { onChoice, onRefusal, onStopWord } from './optOuts.actions.ts'
import { deleteChoices, disown, hideNumbers, optOutLookup, optOutOf } from './optOuts.queries.ts'

export const reacts = [
  within(contactDeleting, async (tx, { keys, addresses }) => {
    const all = [...new Set([...keys, ...addresses])]
    await hideNumbers(tx, all)
    await deleteChoices(tx, all)
  }),
  within(contactExported, async (tx, { contactId, data }) => {
    data.optOut = await optOutOf(tx, contactId)
  }),
  looksUp(optOutLookup),
  responds('optOuts', onStopWord),
  within(marketingChosen, onChoice),
  within(marketingRefused, onRefusal),
  within(userDeleting, (tx, { userId }) => disown(tx, userId)),
]
