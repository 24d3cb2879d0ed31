import { randomUUID } from 'node:crypto'
import { nextAck, READ, SENT } from '@balcao/contract/messages.rules.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type { Chat, Heard } from '../../channels/driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { dropContact, recognize } from '../contacts/contacts.actions.ts'
import { moveTickets } from '../tickets/tickets.merge.ts'
import { announceNew, ensureKept, ensureOpen } from '../tickets/tickets.open.ts'
import { announceChange } from './messages.actions.ts'
import { messageCreated } from './messages.events.ts'
import { inTurn, loadMessage, lockByExternalId } from './messages.queries.ts'
import { messages } from './messages.table.ts'
import { standsLast, touch } from './messages.touch.ts'

type HeardMessage = Extract<Heard, { kind: 'message' }>
type HeardAck = Extract<Heard, { kind: 'ack' }>

/** News older than this came late (the phone was off): it keeps its own time instead of ours. */
const LATE_MS = 60_000

/**
 * Everything one incoming message means, in the caller's one transaction: contact, ticket, message, counters,
 * history, news. The same message again changes nothing. Answers the ticket it belongs to.
 */
export async function receive(tx: Tx, whatsappId: number, heard: HeardMessage): Promise<number> {
  await inTurn(tx, `${whatsappId} ${heard.chat.value}`)
  const known = await lockByExternalId(tx, whatsappId, heard.externalId, heard.fromMe)
  if (known) return known.ticketId
  const contact = await whoIs(tx, heard.chat, heard.fromMe ? '' : heard.name)
  return heard.fromMe ? keep(tx, whatsappId, contact, heard) : take(tx, whatsappId, contact, heard)
}

/** How far one of our messages got. Only rises; an id that is not ours changes nothing. */
export async function acknowledge(
  tx: Tx,
  whatsappId: number,
  { externalId, ack, reason }: HeardAck,
): Promise<number | null> {
  const row = await lockByExternalId(tx, whatsappId, externalId, true)
  if (!row) return null
  const next = nextAck(row.ack, ack)
  if (next === row.ack) return row.ticketId
  await tx.sql
    .update(messages)
    .set({
      ack: next,
      failReason: next === 0 ? (reason ?? 'ERR_SENDING_WAPP_MSG') : '',
      ...(row.outbox && { outbox: next === 0 ? 'failed' : 'done' }),
      version: row.version + 1,
    })
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, row.id)))
  await standsLast(tx, row.ticketId, row.id, next)
  await announceChange(tx, row.id)
  return row.ticketId
}

/** Two identifiers are one person: the records become one. */
export async function identify(tx: Tx, chat: Chat): Promise<void> {
  await whoIs(tx, chat, '')
}

async function whoIs(tx: Tx, chat: Chat, name: string) {
  const { contact, absorbed } = await recognize(tx, chat, name)
  for (const former of absorbed) {
    await moveTickets(tx, former, contact.id)
    await tx.sql
      .update(messages)
      .set({ contactId: contact.id })
      .where(and(eq(messages.companyId, tx.companyId), eq(messages.contactId, former)))
    await dropContact(tx, former)
  }
  return contact
}

async function take(
  tx: Tx,
  whatsappId: number,
  contact: { id: number; isGroup: boolean },
  heard: HeardMessage,
) {
  const { id: ticketId, isNew } = await ensureOpen(tx, contact, whatsappId)
  const message = await write(tx, whatsappId, ticketId, contact.id, heard)
  const ticket = await touch(tx, message, { answered: false })
  if (isNew) await announceNew(tx, ticketId)
  tx.emit(messageCreated, { message, ticket })
  return ticketId
}

/** Typed on the company's own phone: part of the history, in nobody's way. */
async function keep(
  tx: Tx,
  whatsappId: number,
  contact: { id: number; isGroup: boolean },
  heard: HeardMessage,
) {
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const message = await write(tx, whatsappId, ticketId, contact.id, heard)
  const ticket = await touch(tx, message, { answered: true })
  tx.emit(messageCreated, { message, ticket })
  return ticketId
}

async function write(tx: Tx, whatsappId: number, ticketId: number, contactId: number, heard: HeardMessage) {
  const { externalId, fromMe, body, mediaType, quotedExternalId } = heard
  const id = randomUUID()
  await tx.sql.insert(messages).values({
    id,
    companyId: tx.companyId,
    ticketId,
    contactId,
    whatsappId,
    externalId,
    fromMe,
    body,
    mediaType,
    quotedId: quotedExternalId ? await quotedOf(tx, whatsappId, quotedExternalId) : null,
    ack: fromMe ? SENT : READ,
    read: fromMe,
    createdAt: timeOf(heard.at),
  })
  return (await loadMessage(tx, id))!
}

async function quotedOf(tx: Tx, whatsappId: number, externalId: string) {
  const [row] = await tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        inArray(messages.externalId, [externalId]),
      ),
    )
  return row?.id ?? null
}

function timeOf(at: string) {
  const now = Date.now()
  return now - Date.parse(at) > LATE_MS ? at : new Date(now).toISOString()
}
