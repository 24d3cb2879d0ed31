import { messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import { publish, type SendPush } from '../../platform/live.ts'
import { readerRooms, tellOthers } from '../tickets/tickets.events.ts'
import { customerTyped, messageChanged, messageCreated, messageRemoved } from './messages.events.ts'

type News = NonNullable<typeof messageCreated.payload>

const tell =
  (action: 'create' | 'update') =>
  (companyId: number, { message, ticket }: News, push: SendPush) => {
    const readers = readerRooms(companyId, ticket)
    push(messageChannel, readers, { action, message, ticket, contact: ticket.contact })
    // where it stands in the list changed for them too
    tellOthers(companyId, push, ticket)
  }

export const live = [
  publish(messageCreated, tell('create')),
  publish(messageChanged, tell('update')),
  publish(messageRemoved, (companyId, { messageId, ticket }, push) =>
    push(messageChannel, readerRooms(companyId, ticket), {
      action: 'delete',
      messageId,
      ticketId: ticket.id,
    }),
  ),
  publish(customerTyped, (companyId, { contactId, ticket, state }, push) =>
    push(typingChannel, readerRooms(companyId, ticket), { contactId, ticketId: ticket.id, state }),
  ),
]
