import { messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import type { PayloadOf } from '../../platform/events.ts'
import { publish, type SendPush, visitedTicket } from '../../platform/live/live.ts'
import { publishToOthers, readerRooms } from '../tickets/tickets.events.ts'
import { customerTyped, messageChanged, messageCreated, messageRemoved } from './messages.events.ts'

type Payload = PayloadOf<typeof messageCreated>

const pushMessage =
  (action: 'create' | 'update') =>
  (companyId: number, { message, ticket }: Payload, push: SendPush) => {
    const readers = readerRooms(companyId, ticket)
    push(messageChannel, [...readers, visitedTicket(companyId, ticket.id)], {
      action,
      message,
      ticket,
      contact: ticket.contact,
    })
    // the order of the list changed for them too
    publishToOthers(companyId, push, ticket)
  }

export const live = [
  publish(messageCreated, pushMessage('create')),
  publish(messageChanged, pushMessage('update')),
  publish(messageRemoved, (companyId, { messageId, ticket }, push) =>
    push(messageChannel, [...readerRooms(companyId, ticket), visitedTicket(companyId, ticket.id)], {
      action: 'delete',
      messageId,
      ticketId: ticket.id,
    }),
  ),
  publish(customerTyped, (companyId, { contactId, ticket, state }, push) =>
    push(typingChannel, readerRooms(companyId, ticket), { contactId, ticketId: ticket.id, state }),
  ),
]
