import { CIPHERTEXT } from '@balcao/contract/messages.rules.ts'
import type { InboundEvent } from '../../../driver.ts'
import { inLanes } from '../../../platform/lanes.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Tx } from '../../../platform/scope.ts'
import { linkIdentifiers, recognize } from '../../contacts/contacts.actions.ts'
import { contactsBehindEach, identifiersOf } from '../../contacts/contacts.identifiers.queries.ts'
import { nameFromNetwork, removeContactPicture } from '../../contacts/contacts.profile.actions.ts'
import type { ContactRow } from '../../contacts/contacts.queries.ts'
import { ensureOpen, publishOpened } from '../../tickets/moves/open.actions.ts'
import { blankMessage, saveMessage } from '../messages.actions.ts'
import { marketingChosen, messageCreated, placeholderArrived } from '../messages.events.ts'
import { insertMessages, lockChats, type MessageRow } from '../messages.queries.ts'
import { acknowledge } from '../outbox/receipts.actions.ts'
import { receiveAnswer } from './answers.actions.ts'
import { receiveEdit } from './edits.actions.ts'
import { answer, fillIn, isToReceiveAnew, readAgain, withdrawPlaceholder } from './fill.actions.ts'
import { deletedBefore, hasPlaceholdersOnly, lockKnown, quotedIdOf } from './inbound.queries.ts'
import {
  type InboundMessage,
  type InboundReaction,
  type InboundRow,
  keyOf,
  messageRowOf,
  reactorsOf,
} from './inbound.rules.ts'
import { keepAside, keepMessage } from './kept.actions.ts'
import { isLine, isTakenCall, named, receiveLine } from './lines.actions.ts'
import { lookUp } from './lookups.queries.ts'
import { withNames } from './mentions.actions.ts'
import { readOnPhone } from './phone-reads.actions.ts'
import { isAnothers, lockTarget } from './targets.actions.ts'
import { receiveThanks } from './thanks.actions.ts'

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
  await nameFromNetwork(tx, event.chat, event.name ?? '')
  if (event.picture === null) await removeContactPicture(tx, event.chat)
  return { ticketId: null, missing: Boolean(event.picture) }
}

/** A message that may be received together with those of other chats. */
export const isPlainMessage = (event: InboundEvent): event is InboundMessage =>
  event.kind === 'message' && !event.isReread && !isLine(event)

async function ticketOf(tx: Tx, whatsappId: number, event: Exclude<InboundEvent, { kind: 'profile' }>) {
  switch (event.kind) {
    case 'message':
      if (event.isReread) return readAgain(tx, whatsappId, await named(tx, event))
      if (!isLine(event)) return receiveMessage(tx, whatsappId, event)
      return (await receiveLine(tx, whatsappId, event)) ?? receiveFirst(tx, whatsappId, event)
    case 'ack':
      return (await acknowledge(tx, [{ ...event, whatsappId }]))[0]!
    case 'reaction':
      return receiveReaction(tx, whatsappId, event)
    case 'edit':
      return receiveEdit(tx, whatsappId, await withNames(tx, event))
    case 'answer':
      return receiveAnswer(tx, whatsappId, event)
    case 'delete':
      return receiveDeletion(tx, whatsappId, event)
    case 'read':
      return readOnPhone(tx, whatsappId, event)
    case 'nothing':
      return withdrawPlaceholder(tx, whatsappId, event)
    case 'identity':
      await linkIdentifiers(tx, event.chat)
      return null
    case 'marketing':
      await tx.involve(marketingChosen, { ...event, whatsappId })
      return null
    case 'strange':
      return null
  }
}

/**
 * Everything that follows from inbound messages of different chats, in the caller's one transaction: contacts, tickets, messages,
 * counters, history, events. The same message again changes nothing. Answers the ticket that each belongs to; null for what is
 * not kept here.
 */
export async function receiveMessages(
  tx: Tx,
  whatsappId: number,
  events: InboundMessage[],
): Promise<(number | null)[]> {
  const chats = events.map(({ chat }) => chat)
  const [, known, deleted, behind] = await together(
    tx.sql,
    () =>
      lockChats(
        tx,
        whatsappId,
        chats.map(({ value }) => value),
      ),
    () => lockKnown(tx, whatsappId, events),
    () => deletedBefore(tx, whatsappId, events),
    () => contactsBehindEach(tx, chats.map(identifiersOf)),
  )
  const found = events.map((event, at) => ({
    event,
    known: known[at]!,
    isDeleted: deleted.has(event),
    behind: behind[at]!,
  }))
  const placed = await inLanes(
    tx,
    found,
    { key: ({ event }) => event.chat.value },
    (lane, { event, ...what }) => place(lane, whatsappId, event, what),
  )
  const questions = placed.flatMap(one => (typeof one === 'object' && one !== null ? one : []))
  const ticketIds = (await receiveQuestions(tx, whatsappId, questions)).values()
  return placed.map(one => (typeof one === 'object' && one !== null ? ticketIds.next().value! : one))
}

/** The ticket of a message that opens none, such as one that is known or was typed on the phone; else the question that it is. */
async function place(
  tx: Tx,
  whatsappId: number,
  given: InboundMessage,
  { known, isDeleted, behind }: { known: MessageRow | null; isDeleted: boolean; behind: ContactRow[] },
): Promise<
  | number
  | null
  | {
      event: InboundMessage
      contact: { id: number; isGroup: boolean }
      row: InboundRow
    }
> {
  // ids are chosen by who writes: one of another chat stays as it is
  if (known && !behind.some(({ id }) => id === known.contactId)) return known.ticketId
  const event = await named(tx, given)
  if (known && !(await isToReceiveAnew(tx, known, event))) return fillIn(tx, whatsappId, known, event)
  if (event.isToList && behind.length === 0) return null
  const contact = await recognize(tx, event.chat, event.fromMe ? '' : event.name, behind)
  const row = messageRowOf({ companyId: tx.companyId, whatsappId, contactId: contact.id }, event, {
    isDeleted,
    quotedId: await quotedIdOf(tx, whatsappId, event),
  })
  if (event.fromMe) return keepMessage(tx, whatsappId, contact, row, event.isToList ? 'aside' : 'answer')
  return (await receiveThanks(tx, contact, row, event)) ?? { event, contact, row }
}

async function receiveQuestions(
  tx: Tx,
  whatsappId: number,
  questions: Exclude<Awaited<ReturnType<typeof place>>, number | null>[],
): Promise<number[]> {
  if (questions.length === 0) return []
  const tickets = await ensureOpen(
    tx,
    questions.map(({ contact }) => contact),
    whatsappId,
  )
  const arrivals = questions.map(({ row, event: { repliesUntil } }, at) => ({
    row: { ...row, ticketId: tickets[at]!.id },
    effect: 'question' as const,
    repliesUntil,
  }))
  // the first words come now: it is new, or nothing of it can be read yet
  const isFirst = await inLanes(
    tx,
    tickets,
    { key: ({ id }) => id },
    async (lane, { id, isNew, lastType }) =>
      isNew || (lastType === CIPHERTEXT && (await hasPlaceholdersOnly(lane, id))),
  )
  const stored = await insertMessages(tx, arrivals)
  const arrived = questions.map(({ event: { tapId, at } }, nth) => ({
    ...stored[nth]!,
    ...{ isNew: isFirst[nth]!, tapId, writtenAt: at },
  }))
  const received = await lookUp(tx, arrived)
  await inLanes(tx, [...questions.keys()], { key: nth => tickets[nth]!.id }, async (lane, nth) => {
    const { message, ticket } = stored[nth]!
    const { isNew: isOpened, waitsForQueue } = tickets[nth]!
    if (isOpened) publishOpened(lane, ticket)
    lane.emit(messageCreated, { message, ticket })
    if (message.mediaType === CIPHERTEXT) await lane.involve(placeholderArrived, { ticket })
    else await answer(lane, received[nth]!, { at: questions[nth]!.event.at, waitsForQueue })
  })
  return tickets.map(({ id }) => id)
}

/** `receiveMessages` of one. */
export const receiveMessage = async (tx: Tx, whatsappId: number, event: InboundMessage) =>
  (await receiveMessages(tx, whatsappId, [event]))[0]!

/** Of somebody who is not known here a call, and what the network does not bring, are messages: they change nothing before them. */
async function receiveFirst(tx: Tx, whatsappId: number, event: InboundMessage): Promise<number | null> {
  if (isTakenCall(event)) return receiveMessage(tx, whatsappId, event)
  const { data, ...first } = event
  const isUndelivered = data !== undefined && 'what' in data && data.what === 'undelivered'
  return isUndelivered ? receiveMessage(tx, whatsappId, { ...first, mediaType: 'unsupported' }) : null
}

/**
 * A reaction, one of each person; the newest counts, whenever it arrives. A reaction to an unknown message is kept as a
 * message of its own, without opening a ticket. Answers the ticket.
 */
async function receiveReaction(tx: Tx, whatsappId: number, event: InboundReaction): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target)
    return keepAside(tx, whatsappId, {
      ...event,
      kind: 'message',
      externalId: keyOf({ ...event, at: '', emoji: '' }).trim(),
      body: event.emoji,
      mediaType: 'reactionMessage',
      data: { externalId: event.target.externalId },
    })
  const { emoji, at } = event
  const names = reactorsOf(event)
  const [by] = names
  const previous = target.reactions.find(one => names.includes(one.by))
  // WhatsApp's times are whole seconds: within one second the order of arrival counts
  const known =
    previous && (Date.parse(previous.at) > Date.parse(at) || (previous.at === at && previous.emoji === emoji))
  if (known) return target.ticketId
  const name = event.author?.name || event.name
  const reactions = [...target.reactions.filter(one => !names.includes(one.by)), { by, emoji, name, at }]
  await saveMessage(tx, target, { reactions })
  return target.ticketId
}

/** The author, or an admin of the group, deleted a message for everyone. A message that arrives after its deletion is deleted on arrival. */
async function receiveDeletion(tx: Tx, whatsappId: number, event: InboundDeletion): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target) return null
  const isAllowed = event.isAdmin === true || !isAnothers(target, event.target.author)
  if (!target.isDeleted && isAllowed) await blankMessage(tx, target, null)
  return target.ticketId
}
