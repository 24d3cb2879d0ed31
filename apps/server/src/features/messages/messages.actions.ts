import { randomBytes, randomUUID } from 'node:crypto'
import { FAILED, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { and, eq } from 'drizzle-orm'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { isUnderWay } from '../connections/connections.queries.ts'
import { findTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { messageChanged, messageCreated, outboxFilled } from './messages.events.ts'
import { loadMessage } from './messages.queries.ts'
import { messages } from './messages.table.ts'
import { standsLast, touch } from './messages.touch.ts'

export interface Draft {
  id?: string
  body: string
  quotedMsg?: string | null
}

/**
 * Puts a message in the outbox of the ticket's connection and answers it with ack 1; sending comes after.
 * The same draft id twice is one message. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN, or
 * ERR_WAPP_NOT_INITIALIZED for a ticket without a connection, or one whose session nobody started.
 */
export const send = (scope: Scope, ticketId: number, draft: Draft): Promise<Message> =>
  scope.transaction(async tx => {
    const me = viewerOf(scope)
    const place = await lockTicket(tx, ticketId)
    const ticket = place ? await findTicket(tx, ticketId) : refuse('ERR_NO_TICKET_FOUND')
    // Only behind the ticket's lock: of two copies that come at once the second must see the first.
    if (draft.id) {
      const sent = await loadMessage(tx, draft.id)
      if (sent)
        return sent.ticketId === ticketId && sent.user?.id === me.id
          ? sent
          : refuse('ERR_CREATING_MESSAGE', { field: 'id' })
    }
    if (ticket.status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
    const whatsappId = ticket.whatsappId ?? refuse('ERR_WAPP_NOT_INITIALIZED')
    if (!(await isUnderWay(tx, whatsappId))) return refuse('ERR_WAPP_NOT_INITIALIZED')
    const signed = me.signMessage && !me.authorization.disableSignature
    return post(tx, {
      id: draft.id ?? randomUUID(),
      ticketId,
      contactId: ticket.contactId,
      whatsappId,
      userId: me.id,
      body: signed ? `*${me.name}:*\n${draft.body}` : draft.body,
      quotedId: draft.quotedMsg ? await quotable(tx, draft.quotedMsg, ticket.contactId) : null,
    })
  })

/** Tries a failed message again, under the WhatsApp id of the first try. Refuses with ERR_FETCH_WAPP_MSG. */
export const resend = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    const failed = (await loadMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    const ticket = await findTicket(tx, failed.ticketId)
    if (!failed.fromMe || failed.ack !== FAILED) return refuse('ERR_FETCH_WAPP_MSG')
    await lockTicket(tx, ticket.id)
    await tx.sql
      .update(messages)
      .set({ ack: WAITING, failReason: '', outbox: 'queued', attempts: 0, version: failed.version + 1 })
      .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
    await standsLast(tx, ticket.id, messageId, WAITING)
    if (ticket.whatsappId !== null) tx.emit(outboxFilled, { whatsappId: ticket.whatsappId })
    return announceChange(tx, messageId)
  })

type Post = Pick<
  typeof messages.$inferInsert,
  'id' | 'ticketId' | 'contactId' | 'userId' | 'body' | 'quotedId'
> & { whatsappId: number }

/** The one way out: the row is the outbox, and it is in the same commit as everything that shows it. */
async function post(tx: Tx, fields: Post): Promise<Message> {
  const createdAt = new Date().toISOString()
  await tx.sql.insert(messages).values({
    ...fields,
    companyId: tx.companyId,
    externalId: newExternalId(),
    fromMe: true,
    ack: WAITING,
    read: true,
    outbox: 'queued',
    createdAt,
  })
  const message = (await loadMessage(tx, fields.id))!
  const ticket = await touch(tx, message, { answered: true })
  tx.emit(messageCreated, { message, ticket })
  tx.emit(outboxFilled, { whatsappId: fields.whatsappId })
  return message
}

export async function announceChange(tx: Tx, messageId: string): Promise<Message> {
  const message = (await loadMessage(tx, messageId))!
  const ticket = await findTicket(tx, message.ticketId)
  tx.emit(messageChanged, { message, ticket })
  return message
}

/** A quote points to a message of the same contact, or nowhere. */
async function quotable(tx: Tx, quotedId: string, contactId: number) {
  const quoted = await loadMessage(tx, quotedId)
  return quoted?.contactId === contactId ? quotedId : refuse('ERR_FETCH_WAPP_MSG', { field: 'quotedMsg' })
}

/** The shape of ids that WhatsApp Web makes, so that ours do not stand out. */
const newExternalId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
