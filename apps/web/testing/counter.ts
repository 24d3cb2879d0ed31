import { bots } from '@balcao/contract/bots.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { flows } from '@balcao/contract/flows.ts'
import { Message, messageChannel, messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { Ticket, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import type { User } from '@balcao/contract/users.ts'
import { type Partly, sample } from './samples.ts'
import type { Server } from './server.ts'

const NOW = '2026-11-20T12:00:00.000Z'
const suporte = { id: 1, name: 'Suporte', color: '#fe9200' }

export const uuid = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`

/** A waiting ticket; with a user it is assigned to that user. */
export const ticketOf = (name: string, given: Partly<Ticket> = {}, of: User | null = null): Ticket =>
  sample(Ticket, {
    id: 41,
    uuid: uuid(41),
    companyId: 2,
    status: of ? 'open' : 'pending',
    protocol: '202611200041',
    channel: 'whatsapp',
    ...(of && { userId: of.id, user: { id: of.id, name: of.name }, queueId: 1, queue: suporte }),
    contactId: 71,
    contact: { id: 71, name, number: '5531990000071' },
    whatsappId: 1,
    whatsapp: { id: 1, name: 'Loja Centro' },
    lastMessage: 'Olá!',
    lastMessageId: uuid(1),
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...given,
  } as Partly<Ticket>)

/** A message of the ticket, by default from the customer. */
export const messageOn = (ticket: Ticket, place: number, given: Partly<Message> = {}): Message =>
  sample(Message, {
    id: uuid(place),
    ticketId: ticket.id,
    contactId: ticket.contactId,
    body: 'Olá!',
    ack: 3,
    contact: { id: ticket.contactId, name: ticket.contact.name },
    ticket: { id: ticket.id, protocol: ticket.protocol, queueId: ticket.queueId },
    source: given.fromMe ? 'person' : 'contact',
    version: 1,
    position: place * 2,
    createdAt: NOW,
    ...given,
  } as Partly<Message>)

/** One ticket with its conversation, and no others. */
interface Counter {
  ticket: Ticket
  thread: Message[]
  answers(server: Server): Server
  /** The server pushes the ticket's new state. */
  moves(server: Server, to: Partial<Ticket>, more?: object): void
  /** A message arrives, or is updated. */
  says(server: Server, message: Message): void
}

export function counter(ticket: Ticket, thread: Message[] = [messageOn(ticket, 1)]): Counter {
  const self: Counter = {
    ticket,
    thread,
    answers: server =>
      server
        .on(tickets.list, ({ query }) => {
          const isOfStatus = query.tab === 'search' || (query.status || 'closed') === self.ticket.status
          const belongs = isOfStatus && !query.news
          return { tickets: belongs ? [self.ticket] : [], hasMore: false, count: belongs ? 1 : 0 }
        })
        .on(tickets.show, () => self.ticket)
        .on(tickets.story, { events: [] })
        .on(messages.list, () => ({
          messages: self.thread,
          hasMore: false,
          hasNewer: false,
          ticket: self.ticket,
        }))
        .on(messages.type, {})
        .on(messages.pins, { pins: [], mayPin: true })
        .on(bots.showSession, { session: null })
        .on(flows.running, { run: null })
        .on(campaigns.ofTicket, { campaign: null })
        .on(optOuts.ofContact, { optOut: null }),
    moves(server, to, more = {}) {
      const before = { status: self.ticket.status, queueId: self.ticket.queueId, userId: self.ticket.userId }
      self.ticket = { ...self.ticket, ...to, version: self.ticket.version + 1 }
      server.push(ticketChannel, { action: 'update', ticket: self.ticket, before, ...more })
    },
    says(server, message) {
      const known = self.thread.findIndex(({ id }) => id === message.id)
      if (known < 0) self.thread.push(message)
      else self.thread[known] = message
      const { contact } = self.ticket
      server.push(messageChannel, {
        action: known < 0 ? 'create' : 'update',
        message,
        ticket: self.ticket,
        contact,
      })
    },
  }
  return self
}
