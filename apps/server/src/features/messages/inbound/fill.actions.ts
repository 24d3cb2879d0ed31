import { CIPHERTEXT } from '@balcao/contract/messages.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { loadTicket, lockTicket } from '../../tickets/tickets.queries.ts'
import { saveMessage } from '../messages.actions.ts'
import { afterwordArrived, customerWrote, type ReceivedMessage } from '../messages.events.ts'
import { AT_ONCE, type MessageRow } from '../messages.queries.ts'
import { chooseQueue, tellHours, welcome } from '../outbox/greetings.actions.ts'
import { withdrawMessage } from '../outbox/withdraw.actions.ts'
import { isFirstOf, isOnlyOne, loggedEvent, quotedIdOf } from './inbound.queries.ts'
import { type InboundMessage, isImported, isMoved, keyOf, messageRowOf } from './inbound.rules.ts'
import { lookUp } from './lookups.queries.ts'
import { respond } from './responders.actions.ts'
import { isAnothers, lockTarget } from './targets.actions.ts'

/**
 * A message that is known already: fills in what its row lacks, which is the content of a placeholder, everything but
 * the text of a message that is known by its edit, or a better file. Anything else changes nothing. Answers its ticket.
 */
export async function fillIn(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  if (known.isDeleted || event.mediaType === CIPHERTEXT) return known.ticketId
  if (isAnothers(known, event.author)) await unlessForged(tx, whatsappId, known, event)
  else if (known.mediaType === CIPHERTEXT) await replacePlaceholder(tx, whatsappId, known, event)
  else if (known.mediaType === 'editedMessage') await complete(tx, whatsappId, known, event)
  else if (event.isBetter) await improve(tx, whatsappId, known, event)
  // a live location comes again under its id with each new place
  else if (isMoved(known, event)) await saveMessage(tx, known, { dataJson: JSON.stringify(event.data) })
  else await completeBetter(tx, known, event)
  return known.ticketId
}

/**
 * No user sees a message that a history brought before it arrived, nor a placeholder whose ticket was closed before its
 * content came: it is received as one that arrives now.
 */
export async function isToReceiveAnew(tx: Tx, known: MessageRow, event: InboundMessage): Promise<boolean> {
  if (known.fromMe || known.isDeleted || event.mediaType === CIPHERTEXT || isAnothers(known, event.author))
    return false
  const isReplaced = known.mediaType === CIPHERTEXT
  const ticket = isReplaced ? await lockTicket(tx, known.ticketId) : null
  const isUnseen = isImported(known) && !event.isBetter && !isMoved(known, event)
  if (!isUnseen && ticket?.status !== 'closed') return false
  await withdrawMessage(tx, known)
  return true
}

/**
 * The content of a placeholder is nothing that is shown by itself. The only message of a ticket stays, as one that cannot be
 * shown: a ticket is never empty. Answers the ticket.
 */
export async function withdrawPlaceholder(
  tx: Tx,
  whatsappId: number,
  { chat, author, externalId, fromMe }: Extract<InboundEvent, { kind: 'nothing' }>,
): Promise<number | null> {
  const known = await lockTarget(tx, whatsappId, { chat, target: { externalId, fromMe } })
  if (known?.mediaType !== CIPHERTEXT || isAnothers(known, author)) return known?.ticketId ?? null
  if (await isOnlyOne(tx, known)) await saveMessage(tx, known, { mediaType: 'unknown' })
  else await withdrawMessage(tx, known)
  return known.ticketId
}

/**
 * The content of a message whose kind could not be read when it arrived, perhaps months ago: its row is completed, and nothing
 * else follows. Answers the ticket.
 */
export async function readAgain(tx: Tx, whatsappId: number, event: InboundMessage): Promise<number | null> {
  const { chat, author, externalId, fromMe } = event
  const known = await lockTarget(tx, whatsappId, { chat, target: { externalId, fromMe } })
  if (known?.mediaType !== 'unknown' || known.isDeleted || isAnothers(known, author))
    return known?.ticketId ?? null
  const fields = await fieldsOf(tx, whatsappId, known, event)
  // a text that was edited since stays
  await saveMessage(tx, known, { dataJson: null, ...fields, body: known.body || fields.body })
  return known.ticketId
}

/** The content takes the place of its placeholder. It is answered like a message that arrives. */
async function replacePlaceholder(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  const fields = await fieldsOf(tx, whatsappId, known, event)
  const message = await saveMessage(tx, known, fields)
  if (known.fromMe) return
  const ticket = (await loadTicket(tx, known.ticketId))!
  const isLate = ticket.lastMessageId !== known.id
  const isNew = !isLate && (await isFirstOf(tx, known))
  const { id, ack, read, createdAt } = known
  // it alone opened its ticket: it may be what its customer was asked for after a closing
  if (isNew) {
    const contact = { id: ticket.contactId, isGroup: ticket.isGroup }
    const row = { ...fields, id, ack, read, createdAt }
    const { tapId, repliesUntil } = event
    const filledIn = { ticket, message }
    const arrived = { contact, row, tapId, repliesUntil, joined: null as number | null, filledIn }
    await tx.involve(afterwordArrived, arrived)
    if (arrived.joined !== null) return
  }
  const waitsForQueue = ticket.status === 'pending' && ticket.queueId === null && ticket.userId === null
  const { tapId, at } = event
  const [received] = await lookUp(tx, [{ ticket, message, isNew, isLate, tapId, writtenAt: at }])
  await answer(tx, received, { at, waitsForQueue })
}

/** What follows a message of a customer: a responder answers, else the connection greets or lets choose the queue. */
export async function answer(
  tx: Tx,
  received: ReceivedMessage,
  { at, waitsForQueue }: { at: string; waitsForQueue: boolean },
): Promise<void> {
  const { ticket, message, isNew, isLate } = received
  const answeredBy = await respond(tx, received)
  await tx.involve(customerWrote, received)
  if (answeredBy || isLate) return
  await greet(tx, ticket, { body: message.body, at, isNew, waitsForQueue })
}

interface Greeted {
  body: string
  at: string
  isNew: boolean
  waitsForQueue: boolean
}

async function greet(tx: Tx, ticket: Ticket, { body, at, isNew, waitsForQueue }: Greeted) {
  if (isNew) await welcome(tx, ticket, at)
  else if (waitsForQueue) await chooseQueue(tx, ticket, body)
  await tellHours(tx, ticket, at)
}

/** Another member of the group wrote under this id: only the edit of a message that was not here gives way, whoever sent it. */
async function unlessForged(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  if (known.mediaType !== 'editedMessage') return
  await saveMessage(tx, known, { ...(await fieldsOf(tx, whatsappId, known, event)), editedAt: null })
}

/** The message arrives after its edit: the edited text stays. */
async function complete(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  const { body: _text, ...fields } = await fieldsOf(tx, whatsappId, known, event)
  await saveMessage(tx, known, fields)
}

/** The better copy replaces the file once it is fetched; until then the other one is shown. */
async function improve(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  const { file, body } = event
  if (!known.media || !file || (await loggedEvent(tx, whatsappId, keyOf(event)))?.handledAt) return
  const { source, width, height } = file
  await saveMessage(tx, known, {
    media: { ...known.media, ...(width && height && { width, height }) },
    mediaSource: source,
    mediaDue: AT_ONCE,
    mediaAttempts: 0,
    body: known.body || body,
  })
}

/** A photo that came after its better copy names its album, and has the caption. */
async function completeBetter(tx: Tx, known: MessageRow, { data, body, mediaType }: InboundMessage) {
  if (!known.media || mediaType !== known.mediaType) return
  const isWithoutCaption = known.body === '' && known.editedAt === null
  const fields = {
    ...(data && known.dataJson === null && { dataJson: JSON.stringify(data) }),
    ...(isWithoutCaption && body && { body }),
  }
  if (Object.keys(fields).length > 0) await saveMessage(tx, known, fields)
}

async function fieldsOf(tx: Tx, whatsappId: number, { contactId }: MessageRow, event: InboundMessage) {
  const row = messageRowOf({ companyId: tx.companyId, whatsappId, contactId }, event, {
    isDeleted: false,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  const { id: _id, createdAt: _at, ack: _ack, read: _read, ...fields } = row
  return fields
}
