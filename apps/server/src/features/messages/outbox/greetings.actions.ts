import { randomUUID } from 'node:crypto'
import { calledBy, filled, type Placeholders } from '@balcao/contract/placeholders.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow, databaseTime } from '../../../platform/clock.ts'
import { idFrom } from '../../../platform/ids.ts'
import type { Tx } from '../../../platform/scope.ts'
import { clockOf } from '../../companies/companies.queries.ts'
import { connectionsUnderWay, findConnection } from '../../connections/connections.queries.ts'
import { transfer } from '../../tickets/moves/moves.actions.ts'
import type { TicketState } from '../../tickets/tickets.events.ts'
import { loadTicket, updateTicket } from '../../tickets/tickets.queries.ts'
import { greetingOf } from '../../users/users.queries.ts'
import { post } from '../messages.actions.ts'
import { loadMessage } from '../messages.queries.ts'
import { farewellText, hoursText } from './greetings.queries.ts'

/** A message older than this (the phone was off) is not greeted. */
const STALE_MS = 60 * 60_000

/** The connection greets on a new ticket, and offers its queues by number when it has several (OP-74). */
export async function welcome(tx: Tx, ticket: Ticket, at: string): Promise<void> {
  if (ticket.isGroup || ticket.whatsappId === null || isStale(at)) return
  const { greetingMessage, queues } = await findConnection(tx, ticket.whatsappId)
  if (!greetingMessage.trim()) return
  const choices = queues.length > 1 ? queues.map(({ name }, at) => `*${at + 1}* - ${name}`) : []
  await greet(tx, ticket, [greetingMessage, choices.join('\n')].filter(Boolean).join('\n\n'))
}

/** A number that was offered puts the ticket in its queue, which greets; any other text is ignored. */
export async function chooseQueue(tx: Tx, ticket: Ticket, body: string): Promise<void> {
  const [, digits] = /^(\d{1,3})\s?[.)-]?$/.exec(body.trim()) ?? []
  if (!digits || ticket.isGroup || ticket.whatsappId === null) return
  const { queues } = await findConnection(tx, ticket.whatsappId)
  const queue = queues.length > 1 ? queues[Number(digits) - 1] : undefined
  if (!queue) return
  const moved = await transfer(tx, ticket.id, { queueId: queue.id })
  if (queue.greetingMessage.trim()) await greet(tx, moved, queue.greetingMessage)
}

/** Outside the hours of queue, connection or company a customer gets the message for it, once a day, until an attendant has the ticket. */
export async function tellHours(
  tx: Tx,
  { id, status, isGroup, whatsappId }: Ticket,
  at: string,
): Promise<void> {
  if (isGroup || whatsappId === null || status !== 'pending' || isStale(at)) return
  const text = await hoursText(tx, id)
  if (text === null || !(await connectionsUnderWay(tx)).includes(whatsappId)) return
  await updateTicket(tx, id, { outOfHoursAt: databaseTime() })
  await greet(tx, (await loadTicket(tx, id))!, text)
}

const isStale = (at: string) => databaseNow() - Date.parse(at) > STALE_MS

/** The attendant's first greeting on accepting a ticket (OP-72); the farewell on resolving it (OP-74). */
export async function greetOrPart(tx: Tx, ticket: Ticket, before: TicketState | null): Promise<void> {
  if (ticket.isGroup || ticket.whatsappId === null) return
  const me = tx.viewer
  const isAccepted = ticket.status === 'open' && before?.status !== 'open' && ticket.userId === me?.id
  if (me && isAccepted && !me.authorization.disableGreeting) await introduce(tx, ticket, me)
  if (ticket.status === 'closed' && before?.status === 'open') {
    const farewell = await farewellText(tx, ticket)
    if (farewell) await greet(tx, ticket, farewell, me)
  }
}

/** The id of the greeting is that of the ticket and the attendant: it is sent once. */
async function introduce(tx: Tx, ticket: Ticket, me: NonNullable<Author>) {
  const id = idFrom(`greeting ${ticket.id} ${me.id}`)
  if (await loadMessage(tx, id)) return
  const greeting = await greetingOf(tx, me.id)
  if (greeting) await greet(tx, ticket, greeting, me, id)
}

type Author = { id: number; name: string } | null

/** Posts a greeting without an effect on the ticket: the customer still waits, and the preview shows their text. */
async function greet(tx: Tx, ticket: Ticket, text: string, by: Author = null, id: string = randomUUID()) {
  const whatsappId = ticket.whatsappId!
  if (!(await connectionsUnderWay(tx)).includes(whatsappId)) return
  const draft = {
    id,
    ticketId: ticket.id,
    contactId: ticket.contactId,
    whatsappId,
    source: 'greeting' as const,
    userId: by?.id ?? null,
    body: filled(text, await placeholders(tx, ticket, by)),
    // after the message that it answers
    createdAt: new Date(databaseNow() + 1).toISOString(),
  }
  await post(tx, [draft], 'aside')
}

/** The values of a text's variables on a ticket, now. */
export async function placeholders(tx: Tx, { contact, protocol }: Ticket, by: Author): Promise<Placeholders> {
  const { day, time } = await clockOf(tx)
  const cliente = calledBy(contact)
  return { cliente, atendente: by?.name ?? '', protocolo: protocol, data: day, horas: time }
}
