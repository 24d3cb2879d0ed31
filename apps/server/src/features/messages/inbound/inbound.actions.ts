import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Chat, InboundEvent, Target } from '../../../driver.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Tx } from '../../../platform/scope.ts'
import { recognize } from '../../contacts/contacts.actions.ts'
import { contactsBehind, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { nameFromNetwork, removeContactPicture } from '../../contacts/contacts.profile.actions.ts'
import { emitTicketOpened, ensureKept, ensureOpen } from '../../tickets/moves/open.actions.ts'
import { blankMessage, rewriteMessage, saveMessage } from '../messages.actions.ts'
import {
  companyWrote,
  customerWrote,
  marketingChosen,
  messageCreated,
  phoneWriting,
} from '../messages.events.ts'
import { insertMessage, lockChat, type MessageRow } from '../messages.queries.ts'
import { chooseQueue, tellHours, welcome } from '../outbox/greetings.actions.ts'
import { acknowledge } from '../outbox/receipts.actions.ts'
import {
  deletedBefore,
  lastQuestionAt,
  lockByExternalId,
  loggedEvent,
  quotedIdOf,
} from './inbound.queries.ts'
import {
  type InboundMessage,
  type InboundReaction,
  type InboundRow,
  keyOf,
  messageRowOf,
  reactorOf,
} from './inbound.rules.ts'
import { respond } from './responders.actions.ts'
import { receiveThanks } from './thanks.actions.ts'

type InboundEdit = Extract<InboundEvent, { kind: 'edit' }>
type InboundDeletion = Extract<InboundEvent, { kind: 'delete' }>

/**
 * Applies an inbound event in the caller's transaction; a repeated event changes nothing. Answers the ticket it concerns.
 * `missing`: a file has to be fetched before the event counts as handled.
 */
export async function applyInbound(
  tx: Tx,
  whatsappId: number,
  event: InboundEvent,
): Promise<{ ticketId: number | null; missing: boolean }> {
  if (event.kind !== 'profile') return { ticketId: await ticketOf(tx, whatsappId, event), missing: false }
  if (event.name) await nameFromNetwork(tx, event.chat, event.name)
  if (event.picture === null) await removeContactPicture(tx, event.chat)
  return { ticketId: null, missing: Boolean(event.picture) }
}

async function ticketOf(tx: Tx, whatsappId: number, event: Exclude<InboundEvent, { kind: 'profile' }>) {
  switch (event.kind) {
    case 'message':
      return receiveMessage(tx, whatsappId, event)
    case 'ack':
      return (await acknowledge(tx, whatsappId, [event]))[0]!
    case 'reaction':
      return receiveReaction(tx, whatsappId, event)
    case 'edit':
      return receiveEdit(tx, whatsappId, event)
    case 'delete':
      return receiveDeletion(tx, whatsappId, event)
    case 'identity':
      await recognize(tx, event.chat, '')
      return null
    case 'marketing':
      await tx.involve(marketingChosen, { ...event, whatsappId })
      return null
    case 'strange':
      return null
  }
}

/**
 * Everything that follows from one inbound message, in the caller's one transaction: contact, ticket, message, counters,
 * history, events. The same message again changes nothing. Answers the ticket it belongs to.
 */
export async function receiveMessage(tx: Tx, whatsappId: number, event: InboundMessage): Promise<number> {
  const [, known, isDeleted, behind] = await together(
    tx.sql,
    () => lockChat(tx, `${whatsappId} ${event.chat.value}`),
    () => lockByExternalId(tx, whatsappId, event.externalId, { fromMe: event.fromMe }),
    () => deletedBefore(tx, whatsappId, event),
    () => contactsBehind(tx, identifiersOf(event.chat)),
  )
  if (known)
    return known.mediaType === 'editedMessage' ? complete(tx, whatsappId, known, event) : known.ticketId
  const contact = await recognize(tx, event.chat, event.fromMe ? '' : event.name, behind)
  const row = messageRowOf({ companyId: tx.companyId, whatsappId, contactId: contact.id }, event, {
    isDeleted,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  if (event.fromMe) return keepMessage(tx, whatsappId, contact, row, 'answer')
  const thanked = await receiveThanks(tx, contact, row, event)
  if (thanked !== null) return thanked
  const { id: ticketId, isNew, waitsForQueue } = await ensureOpen(tx, contact, whatsappId)
  const { message, ticket } = await insertMessage(tx, { ...row, ticketId }, 'question', event.repliesUntil)
  if (isNew) await emitTicketOpened(tx, ticketId)
  tx.emit(messageCreated, { message, ticket })
  const answeredBy = await respond(tx, { ticket, message, isNew, tapId: event.tapId })
  await tx.involve(customerWrote, { ticket, message, isNew })
  if (answeredBy) return ticketId
  if (isNew) await welcome(tx, ticket, event.at)
  else if (waitsForQueue) await chooseQueue(tx, ticket, event.body)
  await tellHours(tx, ticket, event.at)
  return ticketId
}

/** The message arrives after its edit: it fills in what the edit did not have, and the edited text stays. */
async function complete(tx: Tx, whatsappId: number, known: MessageRow, event: InboundMessage) {
  const { companyId } = tx
  const row = messageRowOf({ companyId, whatsappId, contactId: known.contactId }, event, {
    isDeleted: false,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  const { id: _id, createdAt: _at, body: _text, ack: _ack, read: _read, ...fields } = row
  await saveMessage(tx, known, fields)
  return known.ticketId
}

/**
 * A reaction, one of each person; the newest counts, whenever it arrives. A reaction to an unknown message is kept as a
 * message of its own, without opening a ticket. Answers the ticket.
 */
async function receiveReaction(tx: Tx, whatsappId: number, event: InboundReaction): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target) return keepReaction(tx, whatsappId, event)
  const { emoji, at } = event
  const by = reactorOf(event)
  const previous = target.reactions.find(one => one.by === by)
  // WhatsApp's times are whole seconds: within one second the order of arrival counts
  const known =
    previous && (Date.parse(previous.at) > Date.parse(at) || (previous.at === at && previous.emoji === emoji))
  if (known) return target.ticketId
  const name = event.author?.name || event.name
  const reactions = [...target.reactions.filter(one => one !== previous), { by, emoji, name, at }]
  await saveMessage(tx, target, { reactions })
  return target.ticketId
}

/** An edit by the author. The newest counts; an unknown message is kept with the edited text. */
async function receiveEdit(tx: Tx, whatsappId: number, event: InboundEdit): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target) return keepEdited(tx, whatsappId, event)
  const late = target.editedAt !== null && secondOf(target.editedAt) > secondOf(event.at)
  // WhatsApp's times are whole seconds: within one second the order of arrival counts
  const again =
    target.editedAt !== null &&
    secondOf(target.editedAt) === secondOf(event.at) &&
    Boolean((await loggedEvent(tx, whatsappId, keyOf(event)))?.handledAt)
  if (late || again || target.isDeleted || target.fromMe !== event.fromMe || isAnothers(target, event.target))
    return target.ticketId
  await rewriteMessage(tx, target, {
    body: event.body,
    editedAt: new Date(event.at).toISOString(),
    userId: null,
  })
  return target.ticketId
}

/** In a group an edit names the author of its message: another member's where both have an address of the same kind. */
function isAnothers({ author }: MessageRow, { author: by }: Target): boolean {
  if (!author || !by) return false
  const phone = { kind: 'phone', value: author.number }
  const known = [author, phone].filter(({ value }) => value !== '').map(addressOf)
  const named = [by, ...(by.also ? [by.also] : [])].map(addressOf)
  const alike = named.filter(one => known.some(({ kind }) => kind === one.kind))
  return alike.length > 0 && !alike.some(one => known.some(({ value }) => value === one.value))
}

const addressOf = ({ kind, value }: { kind: string; value: string }) => ({
  kind,
  value: kind === 'phone' ? phoneKey(value) : value,
})

const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)

/** The author deleted a message for everyone. A message that arrives after its deletion is deleted on arrival. */
async function receiveDeletion(tx: Tx, whatsappId: number, event: InboundDeletion): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target) return null
  if (!target.isDeleted) await blankMessage(tx, target, null)
  return target.ticketId
}

/** The target, locked; null unless it is a message of this chat. */
async function lockTarget(
  tx: Tx,
  whatsappId: number,
  { chat, target }: { chat: Chat; target: Target },
): Promise<MessageRow | null> {
  await lockChat(tx, `${whatsappId} ${chat.value}`)
  const row = await lockByExternalId(tx, whatsappId, target.externalId, { fromMe: target.fromMe })
  if (!row) return null
  const people = await contactsBehind(tx, identifiersOf(chat))
  return people.some(({ id }) => id === row.contactId) ? row : null
}

const keepReaction = (tx: Tx, whatsappId: number, event: InboundReaction) =>
  keepApart(tx, whatsappId, {
    ...event,
    kind: 'message',
    externalId: keyOf({ ...event, at: '', emoji: '' }).trim(),
    body: event.emoji,
    mediaType: 'reactionMessage',
    data: { externalId: event.target.externalId },
  })

const keepEdited = (tx: Tx, whatsappId: number, event: InboundEdit) =>
  keepApart(
    tx,
    whatsappId,
    { ...event, kind: 'message', externalId: event.target.externalId, mediaType: 'editedMessage' },
    new Date(event.at).toISOString(),
  )

/** Keeps an event without a known target as a message, once. */
async function keepApart(
  tx: Tx,
  whatsappId: number,
  event: InboundMessage,
  editedAt: string | null = null,
): Promise<number | null> {
  const { chat, fromMe, name, externalId, body } = event
  const known = await lockByExternalId(tx, whatsappId, externalId, { fromMe })
  if (known) {
    await saveMessage(tx, known, { body, isDeleted: body === '' })
    return known.ticketId
  }
  if (body === '') return null
  const contact = await recognize(tx, chat, fromMe ? '' : name)
  const row = messageRowOf({ companyId: tx.companyId, whatsappId, contactId: contact.id }, event, {
    isDeleted: false,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  return keepMessage(tx, whatsappId, contact, { ...row, editedAt }, 'aside')
}

/** Inserts a message that does not open a ticket: typed on the company's phone, or known only by its reaction or edit. */
async function keepMessage(
  tx: Tx,
  whatsappId: number,
  contact: { id: number; isGroup: boolean },
  row: InboundRow & { editedAt?: string | null },
  effect: 'answer' | 'aside',
): Promise<number> {
  const ticketId = await ensureKept(tx, contact, whatsappId)
  const isAnswer = effect === 'answer' && !(await isAside(tx, ticketId, row))
  const { message, ticket } = await insertMessage(tx, { ...row, ticketId }, isAnswer ? 'answer' : 'aside')
  tx.emit(messageCreated, { message, ticket })
  if (isAnswer) await tx.involve(companyWrote, { message })
  return ticketId
}

/** A phone's own greeting follows the customer's message so soon. */
const QUICK_MS = 5_000

async function isAside(tx: Tx, ticketId: number, { mediaType, createdAt }: InboundRow): Promise<boolean> {
  if (mediaType !== null) return false
  const asked = await lastQuestionAt(tx, ticketId)
  const since = asked === null ? Number.POSITIVE_INFINITY : Date.parse(createdAt) - Date.parse(asked)
  const writing = { ticketId, isQuick: Math.abs(since) <= QUICK_MS, isAside: false }
  await tx.involve(phoneWriting, writing)
  return writing.isAside
}
