import { messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import { announce, type Push } from '../../platform/live.ts'
import { ticketRooms } from '../tickets/tickets.events.ts'
import { customerTyped, messageChanged, messageCreated } from './messages.events.ts'

type News = NonNullable<typeof messageCreated.news>

const tell =
  (action: 'create' | 'update') =>
  (companyId: number, { message, ticket }: News, push: Push) =>
    push(messageChannel, ticketRooms(companyId, ticket), { action, message, ticket, contact: ticket.contact })

export const live = [
  announce(messageCreated, tell('create')),
  announce(messageChanged, tell('update')),
  announce(customerTyped, (companyId, { contactId, ticket, state }, push) =>
    push(typingChannel, ticketRooms(companyId, ticket), { contactId, ticketId: ticket.id, state }),
  ),
]
