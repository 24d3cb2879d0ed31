import { within } from '../../platform/events.ts'
import { contactExported, contactsMerging } from '../contacts/contacts.events.ts'
import { draftSent } from '../messages/messages.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { clearDraft, dropClosedDrafts, dropDraftsIn } from './drafts.actions.ts'
import { draftsTo } from './drafts.queries.ts'

export const reacts = [
  within(draftSent, async (tx, sent) => void (await clearDraft(tx, sent))),
  within(ticketPlaced, async (tx, { ticket, before }) => {
    if (before.status === 'open' && ticket.status !== 'open') await dropDraftsIn(tx, ticket.id)
  }),
  // the tickets are joined by then: their feature is a lower one
  within(contactsMerging, (tx, { into }) => dropClosedDrafts(tx, into)),
  within(contactExported, async (tx, { contactId, data }) => {
    data.drafts = await draftsTo(tx, contactId)
  }),
]
