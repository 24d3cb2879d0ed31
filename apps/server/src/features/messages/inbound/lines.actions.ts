import type { Tx } from '../../../platform/scope.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { ensureKept } from '../../tickets/moves/open.actions.ts'
import { lineAboutMessage, messageCreated } from '../messages.events.ts'
import { insertMessages, lockChats } from '../messages.queries.ts'
import { lockByExternalId, quotedIdOf } from './inbound.queries.ts'
import { type InboundMessage, messageRowOf } from './inbound.rules.ts'
import { namesInChat, withNames } from './mentions.actions.ts'

/** A line between the messages, such as a new subject of a group, or a call that was taken. */
export const isLine = (event: InboundMessage): boolean =>
  event.mediaType === 'chat_event' || isTakenCall(event)

export const isTakenCall = ({ mediaType, data }: InboundMessage): boolean =>
  mediaType === 'call_log' && data !== undefined && 'outcome' in data && data.outcome === 'taken'

/**
 * Keeps a line of the chat among its messages: it opens no ticket, is not counted as unread and starts no automatic answer.
 * A chat that is not known here gets none. The same line again changes nothing. Answers the ticket.
 */
export async function receiveLine(tx: Tx, whatsappId: number, event: InboundMessage): Promise<number | null> {
  const { chat, externalId, fromMe } = event
  await lockChats(tx, whatsappId, [chat.value])
  const known = await lockByExternalId(tx, whatsappId, externalId, { fromMe })
  if (known) return known.ticketId
  const [contact] = await contactsBehind(tx, identifiersOf(chat))
  if (!contact) return null
  const row = messageRowOf(
    { companyId: tx.companyId, whatsappId, contactId: contact.id },
    await named(tx, event),
    { isDeleted: false, quotedId: await quotedIdOf(tx, whatsappId, event) },
  )
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const [stored] = await insertMessages(tx, [{ row: { ...row, ticketId, read: true }, effect: 'aside' }])
  if (row.quotedId)
    await tx.involve(lineAboutMessage, { event, messageId: row.quotedId, contactId: contact.id })
  tx.emit(messageCreated, stored)
  return ticketId
}

/** The event with the names of those whom it mentions or, as a line, concerns. */
export const named = (tx: Tx, event: InboundMessage): Promise<InboundMessage> =>
  event.mediaType === 'chat_event' ? withPeople(tx, event) : withNames(tx, event)

/** A notification names people by their addresses only. */
async function withPeople(tx: Tx, event: InboundMessage): Promise<InboundMessage> {
  const { chat, author, mentions = [], data } = event
  const people = await namesInChat(tx, chat, mentions)
  const [name = ''] = author && !author.name ? await namesInChat(tx, chat, [author]) : []
  return {
    ...event,
    ...(author && name && { author: { ...author, name } }),
    data: { ...data, people },
  }
}
