import { within } from '../../platform/events.ts'
import { connectionEmptying } from '../connections/connections.events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactDeleting, contactExported, contactsMerging } from '../contacts/contacts.events.ts'
import { queueEmptying } from '../queues/queues.events.ts'
import { tagMerging } from '../tags/tags.events.ts'
import { userEmptying } from '../users/users.events.ts'
import { ticketsOf } from './moves/detach.queries.ts'
import { moveTickets, partTickets } from './moves/merges.actions.ts'
import { mergeTicketTag, removeTagsOf } from './tags/tags.actions.ts'
import { detachConnection, detachQueue, detachUser, removeTicketsOf } from './tickets.actions.ts'
import { ticketsLeaving } from './tickets.events.ts'

export const reacts = [
  within(contactDeleting, (tx, { contactId }) => removeTicketsOf(tx, contactId)),
  within(contactExported, async (tx, { contactId, data }) => {
    data.tickets = await ticketsOf(tx, contactId)
  }),
  within(contactsMerging, moveTickets),
  within(contactsParting, partTickets),
  within(queueEmptying, detachQueue),
  within(tagMerging, (tx, { tagId, into }) => mergeTicketTag(tx, tagId, into)),
  within(userEmptying, detachUser),
  within(ticketsLeaving, (tx, { ticketIds }) => removeTagsOf(tx, ticketIds)),
  within(connectionEmptying, detachConnection),
]
