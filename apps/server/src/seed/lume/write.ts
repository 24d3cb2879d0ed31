import { lastWordsOf } from '@balcao/contract/tickets.rules.ts'
import { companies } from '../../features/companies/companies.table.ts'
import { phoneId } from '../../features/contacts/contacts.identifiers.queries.ts'
import { contactExtraInfo, contactIdentifiers, contacts } from '../../features/contacts/contacts.table.ts'
import { messages } from '../../features/messages/messages.table.ts'
import { simulatorMessages } from '../../features/simulator/simulator.table.ts'
import { ticketHistory, tickets, ticketTags } from '../../features/tickets/tickets.table.ts'
import { externalIdOf } from '../../platform/external.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { writeAddressBook } from './address-book.ts'
import { writeClosings } from './closings.ts'
import { customers } from './customers.ts'
import { writeOrder } from './order.ts'
import type { PastMessage, PastTicket } from './past.ts'
import type { Sector } from './talks.ts'

/** The places that the story happens in. */
export interface Stage {
  companyId: number
  whatsappId: number
  team: { id: number; name: string }[]
  sectors: Record<Sector, number>
  tags: Record<string, number>
}

/** Rows of one statement: PostgreSQL accepts 65,535 parameters. */
const CHUNK = 1_000

/** Writes the story down as the product would have, a few statements a table. */
export async function writePast(sql: Sql, stage: Stage, story: PastTicket[]): Promise<void> {
  const contactIds = await writeContacts(sql, stage, story)
  await writeAddressBook(sql, stage.companyId, contactIds)
  const ticketIds = await writeTickets(sql, stage, story, contactIds)
  const sent = story
    .flatMap(ticket => ticket.messages.map(message => ({ ticket, message })))
    .sort((a, b) => a.message.at - b.message.at)
  for (const some of chunks(sent))
    await sql.insert(messages).values(
      some.map(({ ticket, message }) => ({
        ...messageRow(stage, message),
        ticketId: ticketIds.get(ticket.uuid)!,
        contactId: contactIds[ticket.customer]!,
      })),
    )
  // what closes a ticket measures when a person first wrote
  await writeMoves(sql, stage, story, ticketIds)
  await writeOrder(sql, stage, story, ticketIds)
  await writeClosings(sql, stage.companyId)
  for (const some of chunks(sent.filter(({ message }) => message.ack > 0)))
    await sql
      .insert(simulatorMessages)
      .values(some.map(({ ticket, message }) => onPhone(stage, ticket.customer, message)))
}

async function writeContacts(sql: Sql, { companyId }: Stage, story: PastTicket[]): Promise<number[]> {
  const since = (place: number) => iso(story.find(({ customer }) => customer === place)!.createdAt)
  const rows = await sql
    .insert(contacts)
    .values(
      customers.map(({ name, number, email }, place) => ({
        companyId,
        name,
        number,
        email,
        createdAt: since(place),
        updatedAt: since(place),
      })),
    )
    .returning({ id: contacts.id, number: contacts.number })
  const ids = customers.map(({ number }) => rows.find(row => row.number === number)!.id)
  await sql.insert(contactIdentifiers).values(
    customers.map(({ number }, place) => ({
      companyId,
      kind: 'phone' as const,
      value: phoneId(number),
      contactId: ids[place]!,
    })),
  )
  await sql.insert(contactExtraInfo).values(
    customers.map(({ city }, place) => ({
      companyId,
      contactId: ids[place]!,
      name: 'Cidade',
      value: city,
    })),
  )
  return ids
}

async function writeTickets(sql: Sql, stage: Stage, story: PastTicket[], contactIds: number[]) {
  const { companyId } = stage
  const ids = new Map<string, number>()
  const numbered = story.map((ticket, place) => ({
    ...ticketRow(stage, ticket),
    contactId: contactIds[ticket.customer]!,
    protocol: `${iso(ticket.createdAt).slice(0, 10).replaceAll('-', '')}${String(place + 1).padStart(4, '0')}`,
  }))
  for (const some of chunks(numbered)) {
    const rows = await sql.insert(tickets).values(some).returning({ id: tickets.id, uuid: tickets.uuid })
    for (const { id, uuid } of rows) ids.set(uuid, id)
  }
  await sql.update(companies).set({ lastProtocol: story.length }).where(eq(companies.id, companyId))
  await sql
    .insert(ticketTags)
    .values(
      story.flatMap(({ uuid, tag }) =>
        tag ? [{ companyId, ticketId: ids.get(uuid)!, tagId: stage.tags[tag]! }] : [],
      ),
    )
  return ids
}

async function writeMoves(sql: Sql, stage: Stage, story: PastTicket[], ids: Map<string, number>) {
  const moves = story
    .flatMap(({ uuid, moves }) => moves.map(move => ({ ticketId: ids.get(uuid)!, ...move })))
    .sort((a, b) => a.at - b.at)
  for (const some of chunks(moves))
    await sql.insert(ticketHistory).values(
      some.map(({ ticketId, what, by, at, from, to }) => ({
        companyId: stage.companyId,
        ticketId,
        what,
        byUserId: idOf(stage, by),
        fromStatus: from?.status ?? null,
        fromUserId: idOf(stage, from?.owner ?? null),
        fromQueueId: from?.sector ? stage.sectors[from.sector] : null,
        toStatus: to.status,
        toUserId: idOf(stage, to.owner),
        toQueueId: to.sector && stage.sectors[to.sector],
        at: iso(at),
      })),
    )
}

function ticketRow(stage: Stage, ticket: PastTicket) {
  const last = ticket.messages.at(-1)!
  return {
    companyId: stage.companyId,
    whatsappId: stage.whatsappId,
    uuid: ticket.uuid,
    status: ticket.status,
    source: ticket.source,
    userId: idOf(stage, ticket.owner),
    queueId: ticket.sector && stage.sectors[ticket.sector],
    unreadMessages: ticket.unread,
    lastMessage: lastWordsOf(last.body),
    lastMessageId: last.id,
    lastMessageFromMe: last.fromMe,
    lastMessageAck: last.ack,
    waitingSince: ticket.waitingSince === null ? null : iso(ticket.waitingSince),
    createdAt: iso(ticket.createdAt),
    updatedAt: iso(ticket.updatedAt),
    closedAt: ticket.closedAt === null ? null : iso(ticket.closedAt),
  }
}

const messageRow = (stage: Stage, { id, fromMe, author, body, ack, read, at, ...message }: PastMessage) => ({
  id,
  companyId: stage.companyId,
  whatsappId: stage.whatsappId,
  externalId: externalIdOf(message.externalId),
  fromMe,
  source: !fromMe ? ('contact' as const) : author === null ? ('greeting' as const) : ('person' as const),
  userId: idOf(stage, author),
  body,
  ack,
  failReason: ack === 0 ? 'ERR_SENDING_WAPP_MSG' : '',
  read,
  attempts: fromMe ? 1 : 0,
  createdAt: iso(at),
})

/** What the customer's phone shows of it; the product has received all of that already. */
function onPhone(stage: Stage, customer: number, { externalId, fromMe, body, ack, at }: PastMessage) {
  const { number, name } = customers[customer]!
  return {
    companyId: stage.companyId,
    whatsappId: stage.whatsappId,
    number,
    name: fromMe ? '' : name,
    externalId,
    fromMe,
    body,
    ack: fromMe ? ack : 2,
    reportedAck: fromMe ? ack : 2,
    createdAt: iso(at),
  }
}

const idOf = ({ team }: Stage, place: number | null) => (place === null ? null : team[place]!.id)
const iso = (at: number) => new Date(at).toISOString()

function* chunks<T>(list: T[]) {
  for (let from = 0; from < list.length; from += CHUNK) yield list.slice(from, from + CHUNK)
}
