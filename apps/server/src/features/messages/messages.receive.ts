import { FAILED, nextAck } from '@balcao/contract/messages.rules.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import type { Heard } from '../../driver.ts'
import { together } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, sql as tag } from '../../platform/sql.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { contactsBehind, identifiersOf } from '../contacts/contacts.queries.ts'
import { emitTicketOpened, ensureKept, ensureOpen } from '../tickets/tickets.open.ts'
import { loadTickets } from '../tickets/tickets.queries.ts'
import { closeWindow } from '../tickets/tickets.window.ts'
import {
  companyWrote,
  customerWrote,
  messageChanged,
  messageCreated,
  messageSettled,
} from './messages.events.ts'
import { chooseQueue, welcome } from './messages.greetings.ts'
import { deletedBefore, messageRowOf } from './messages.heard.ts'
import { loadMessages, lockByExternalId, lockChat, lockSent, type MessageRow } from './messages.queries.ts'
import { insertMessage, saveMessage } from './messages.save.ts'
import { messages } from './messages.table.ts'

type HeardMessage = Extract<Heard, { kind: 'message' }>
type HeardAck = Extract<Heard, { kind: 'ack' }>
type Known = { id: number; isGroup: boolean }

/**
 * Everything one incoming message means, in the caller's one transaction: contact, ticket, message, counters,
 * history, news. The same message again changes nothing. Answers the ticket it belongs to.
 */
export async function receive(tx: Tx, whatsappId: number, heard: HeardMessage): Promise<number> {
  const [, known, before, behind] = await together(
    tx.sql,
    () => lockChat(tx, `${whatsappId} ${heard.chat.value}`),
    () => lockByExternalId(tx, whatsappId, heard.externalId, heard.fromMe),
    () => deletedBefore(tx, whatsappId, heard),
    () => contactsBehind(tx, identifiersOf(heard.chat)),
  )
  if (known)
    return known.mediaType === 'editedMessage' ? complete(tx, whatsappId, known, heard) : known.ticketId
  const contact = await recognize(tx, heard.chat, heard.fromMe ? '' : heard.name, behind)
  const row = await messageRowOf(tx, whatsappId, contact.id, heard, before)
  return heard.fromMe
    ? keepMessage(tx, whatsappId, contact, row, 'answer')
    : take(tx, whatsappId, contact, row, heard)
}

/**
 * How far our messages got. Only rises; an id that is not ours changes nothing. Answers the tickets they belong to, in
 * the order of the news, null for what is not ours.
 */
export async function acknowledge(
  tx: Tx,
  whatsappId: number,
  heard: Pick<HeardAck, 'externalId' | 'ack' | 'reason'>[],
): Promise<(number | null)[]> {
  const sent = await lockSent(
    tx,
    whatsappId,
    heard.map(({ externalId }) => externalId),
  )
  const rows = heard.map(({ externalId }) => sent.find(row => row.externalId === externalId))
  const risen = heard.flatMap(({ ack, reason = 'ERR_SENDING_WAPP_MSG' }, at) => {
    const row = rows[at]
    const next = row && nextAck(row.ack, ack, row.failReason)
    const isSettled = !row?.outbox || row.outbox === 'done' || row.outbox === 'failed'
    if (row === undefined || next === undefined || (next === row.ack && isSettled)) return []
    return [{ id: row.id, ticketId: row.ticketId, ack: next, failReason: next === 0 ? reason : '' }]
  })
  if (risen.length > 0) await rise(tx, risen)
  return rows.map(row => row?.ticketId ?? null)
}

/** What waits in the outbox of a connection will not leave by itself any more; its authors are told why. */
export async function failWaiting(tx: Tx, whatsappId: number, reason: string): Promise<void> {
  const waiting = await tx.sql
    .select({ externalId: messages.externalId })
    .from(messages)
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        tag`${messages.outbox} in ('queued', 'sending', 'unknown')`,
      ),
    )
    .orderBy(messages.position)
  const failed = waiting.map(({ externalId }) => ({ externalId, ack: FAILED, reason }))
  if (failed.length > 0) await acknowledge(tx, whatsappId, failed)
}

interface Risen {
  id: string
  ticketId: number
  ack: number
  failReason: string
}

/** The messages, and the rows of the lists whose last one is among them. */
async function rise(tx: Tx, risen: Risen[]) {
  const late = risen.filter(({ failReason }) => failReason === 'ERR_WAPP_WINDOW_CLOSED')
  if (late.length > 0)
    await closeWindows(
      tx,
      late.map(({ id }) => id),
    )
  const listed = tag`json_to_recordset(${JSON.stringify(risen)}) as risen(id uuid, "ticketId" int, ack int, "failReason" text)`
  const [, , stand, tickets] = await together(
    tx.sql,
    () =>
      tx.sql.execute(tag`update messages m set ack = risen.ack, fail_reason = risen."failReason", version = m.version + 1,
        outbox = case when m.outbox is null then null when risen.ack = 0 then 'failed' else 'done' end
        from ${listed} where m.company_id = ${tx.companyId} and m.id = risen.id`),
    () =>
      tx.sql.execute(tag`update tickets t set last_message_ack = lasts.ack, version = t.version + 1
        from (select l.id, risen.ack from ${listed} join tickets l on l.company_id = ${tx.companyId}
          and l.id = risen."ticketId" and l.last_message_id = risen.id order by l.id for update of l) lasts
        where t.company_id = ${tx.companyId} and t.id = lasts.id`),
    () =>
      loadMessages(
        tx,
        risen.map(({ id }) => id),
      ),
    () =>
      loadTickets(
        tx,
        risen.map(({ ticketId }) => ticketId),
      ),
  )
  for (const { id: messageId, ack, failReason: reason } of risen)
    if (ack === FAILED) tx.note('a message failed for good', { messageId, reason })
  for (const [at, message] of stand.entries()) {
    tx.emit(messageChanged, { message, ticket: tickets[at]! })
    if (told.has(message.source)) await tx.involve(messageSettled, { message })
  }
}

/** Who put it into the outbox wants to know what became of it. */
const told = new Set<MessageSource>(['schedule', 'campaign'])

/** The network does not take free words any more, unless the customer wrote since: nobody has to find out by trying. */
async function closeWindows(tx: Tx, messageIds: string[]) {
  const refused = await tx.sql
    .select({ contactId: messages.contactId, whatsappId: messages.whatsappId, at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, messageIds)))
  for (const { contactId, whatsappId, at } of refused)
    if (whatsappId !== null) await closeWindow(tx, contactId, whatsappId, at)
}

type Row = Awaited<ReturnType<typeof messageRowOf>>

async function take(tx: Tx, whatsappId: number, contact: Known, row: Row, heard: HeardMessage) {
  const { id: ticketId, isNew, waitsForQueue } = await ensureOpen(tx, contact, whatsappId)
  const { message, ticket } = await insertMessage(tx, { ...row, ticketId }, 'question', heard.repliesUntil)
  if (isNew) await emitTicketOpened(tx, ticketId)
  tx.emit(messageCreated, { message, ticket })
  const answers = { by: null }
  await tx.involve(customerWrote, { ticket, message, isNew, answers })
  if (answers.by) return ticketId
  if (isNew) await welcome(tx, ticket, heard.at)
  else if (waitsForQueue) await chooseQueue(tx, ticket, heard.body)
  return ticketId
}

/** Typed on the company's own phone, or said about what is not known here: part of the history, in nobody's way. */
export async function keepMessage(
  tx: Tx,
  whatsappId: number,
  contact: Known,
  row: Row & { editedAt?: string | null },
  part: 'answer' | 'aside',
): Promise<number> {
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const { message, ticket } = await insertMessage(tx, { ...row, ticketId }, part)
  tx.emit(messageCreated, { message, ticket })
  if (part === 'answer') await tx.involve(companyWrote, { message })
  return ticketId
}

/** The message itself comes after what it was changed to: the change stands. */
async function complete(tx: Tx, whatsappId: number, known: MessageRow, heard: HeardMessage) {
  const row = await messageRowOf(tx, whatsappId, known.contactId, heard, null)
  const { id: _id, createdAt: _at, body: _text, ack: _ack, read: _read, ...said } = row
  await saveMessage(tx, known, said)
  return known.ticketId
}
