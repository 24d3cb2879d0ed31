import { within } from '../../platform/events.ts'
import { contactExported } from '../contacts/contacts.events.ts'
import { draftSent } from '../messages/messages.events.ts'
import { clearDraft } from './drafts.actions.ts'
import { draftsTo } from './drafts.queries.ts'

export const reacts = [
  within(draftSent, async (tx, sent) => void (await clearDraft(tx, sent))),
  within(contactExported, async (tx, { contactId, data }) => {
    data.drafts = await draftsTo(tx, contactId)
  }),
]
