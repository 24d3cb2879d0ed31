import { within } from '../../platform/events.ts'
import { contactExported } from '../contacts/contacts.events.ts'
import { draftsSent } from '../messages/messages.events.ts'
import { clearDrafts } from './drafts.actions.ts'
import { draftsTo } from './drafts.queries.ts'

export const reacts = [
  within(draftsSent, (tx, { sent }) => clearDrafts(tx, sent)),
  within(contactExported, async (tx, { contactId, data }) => {
    data.drafts = await draftsTo(tx, contactId)
  }),
]
