import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactLeaving, contactsMerging } from '../contacts/contacts.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { tagMerging } from '../tags/tags.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { detachConnection, detachQueue, detachUser, removeTicketsOf } from './tickets.detach.ts'
import { ticketsLeaving } from './tickets.events.ts'
import { moveTickets } from './tickets.merge.ts'
import { partTickets } from './tickets.part.ts'
import { moveTag, tellTagsOf } from './tickets.tags.ts'

export const reacts = [
  within(contactLeaving, (tx, { contactId }) => removeTicketsOf(tx, contactId)),
  within(contactsMerging, moveTickets),
  within(contactsParting, partTickets),
  within(queueLeaving, (tx, { queueId }) => detachQueue(tx, queueId)),
  within(tagMerging, (tx, { tagId, into }) => moveTag(tx, tagId, into)),
  within(userLeaving, (tx, { userId }) => detachUser(tx, userId)),
  within(ticketsLeaving, (tx, { ticketIds }) => tellTagsOf(tx, ticketIds)),
  within(connectionLeaving, (tx, { whatsappId }) => detachConnection(tx, whatsappId)),
]
