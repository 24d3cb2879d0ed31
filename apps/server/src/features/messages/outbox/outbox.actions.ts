import { randomUUID } from 'node:crypto'
import { repliesAreOver } from '@balcao/contract/cloud.rules.ts'
import type { CardData, PlaceData } from '@balcao/contract/media.ts'
import type { MessageInput } from '@balcao/contract/messages.input.ts'
import { FAILED, sign, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { isInConversation } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../../platform/errors.ts'
import type { StoredFile } from '../../../platform/files/files.ts'
import { idFrom } from '../../../platform/ids.ts'
import { sharingCommits } from '../../../platform/lanes.ts'
import { together } from '../../../platform/postgres/db.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { readAccountStatus } from '../../companies/companies.status.queries.ts'
import { connectionsUnderWay, findConnection, whyNotUnderWay } from '../../connections/connections.queries.ts'
import { numbersOf } from '../../contacts/contacts.queries.ts'
import { findLocation } from '../../locations/locations.queries.ts'
import {
  findReadableOf,
  loadTicket,
  lockTicket,
  lockVisible,
  type TicketRow,
} from '../../tickets/tickets.queries.ts'
import { type PostedFields, post, saveMessage } from '../messages.actions.ts'
import { draftSent, outboxFilled } from '../messages.events.ts'
import { loadMessage, loadMessages, lockMessage, type MessageRow } from '../messages.queries.ts'
import {
  choicesPart,
  dataPart,
  filePart,
  type Part,
  pollPart,
  stickerPart,
  templatePart,
} from './content.rules.ts'
import { mentioning } from './members.actions.ts'

/** Tolerance for clock differences: within it Meta decides whether the window is over. */
const SKEW_MS = 120_000

/**
 * Puts messages in the outbox of the ticket's connection and answers the first with ack 1, the others in `also`. The same
 * draft id twice is sent once. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN, ERR_WAPP_WINDOW_CLOSED where only a
 * template may be sent, ERR_WAPP_NOT_INITIALIZED for a ticket without a connection or with one that is not started,
 * ERR_COMPANY_SUSPENDED, and as `messagePartsOf`.
 */
export const send = (
  scope: Scope,
  ticketId: number,
  draft: MessageInput,
  files: StoredFile[] = [],
): Promise<Sent> => {
  const asked = { scope, ticketId, draft, files }
  // a visitor's transaction cannot write: no other shares it
  const work =
    viewerOf(scope).visitId === undefined
      ? batchOf(scope, scope.companyId)(asked)
      : scope.transaction(tx => sendOne(tx, asked))
  return refusingKnownIds(work, 'id')
}

interface Asked {
  scope: Scope
  ticketId: number
  draft: MessageInput
  files: StoredFile[]
}

/** What the users of one company send while others are being stored shares the next commit. */
const batchOf = sharingCommits(sendOne, { key: (one: Asked) => one.ticketId, as: one => one.scope.viewer })

async function sendOne(tx: Tx, { ticketId, draft, files }: Asked): Promise<Sent> {
  const me = viewerOf(tx)
  const id = draft.id ?? randomUUID()
  // Behind the ticket's lock: of two copies that come at once the second must see the first.
  const [ticket, sent, underWay] = await together(
    tx.sql,
    () => lockVisible(tx, ticketId),
    () => loadMessages(tx, [id, ...files.slice(1).map((_file, at) => nextId(id, at + 1))]),
    () => connectionsUnderWay(tx),
  )
  const [first, ...also] = sent
  if (first)
    return first.ticketId === ticketId && first.user?.id === me.id
      ? { message: first, also, again: true }
      : refuse('ERR_CREATING_MESSAGE', { field: 'id' })
  const whatsappId = await requireConnection(tx, ticket, underWay, draft.template ? 'template' : 'free')
  // a quote points to a message that the author may read in this conversation
  const quoted = draft.quotedMsg ? await readableIn(tx, draft.quotedMsg, ticket) : null
  // a note is quoted by notes only: a quote shows its text to the customer
  if (draft.quotedMsg && (!quoted || quoted.isPrivate))
    return refuse('ERR_FETCH_WAPP_MSG', { field: 'quotedMsg' })
  if (draft.draftAt) await tx.involve(draftSent, { userId: me.id, ticketId, at: draft.draftAt })
  const parts = await mentioning(tx, ticket, draft, await messagePartsOf(tx, whatsappId, draft, files))
  const isSigned = me.signMessage && !me.authorization.disableSignature && !draft.template && !draft.poll
  const { contactId } = ticket
  const to = { id, ticketId, contactId, whatsappId, quotedId: quoted?.id ?? null, userId: me.id }
  const signed = isSigned ? parts.map(part => ({ ...part, body: sign(me.name, part.body) })) : parts
  const [message, ...others] = await postParts(tx, { ...to, source: 'person' }, signed)
  return { message: message!, also: others, again: false }
}

/** Posts the contents of one draft: the first has its id and quotes. */
async function postParts(
  tx: Tx,
  to: Omit<PostedFields, 'body' | 'createdAt'>,
  parts: Part[],
): Promise<Message[]> {
  const now = databaseNow()
  const posted: Message[] = []
  for (const [at, part] of parts.entries())
    posted.push(
      await post(tx, {
        ...to,
        ...part,
        ...(at > 0 && { id: nextId(to.id, at), quotedId: null }),
        // lists are ordered by time: the messages of one call have distinct times
        createdAt: new Date(now + at).toISOString(),
      }),
    )
  return posted
}

/** Of two calls that choose one id for different tickets at the same time, the second is refused as if it came later. */
export const refusingKnownIds = <T>(work: Promise<T>, field: string): Promise<T> =>
  work.catch((error: unknown) =>
    isUniqueViolation(error, 'messages_company_id_id_pk')
      ? refuse('ERR_CREATING_MESSAGE', { field })
      : Promise.reject(error),
  )

/**
 * The connection over which a user may write to the ticket now. Refuses with ERR_TICKET_NOT_OPEN, ERR_WAPP_NOT_INITIALIZED,
 * ERR_COMPANY_SUSPENDED, and ERR_WAPP_WINDOW_CLOSED for what is no template.
 */
export async function requireConnection(
  tx: Tx,
  ticket: Pick<TicketRow, 'status' | 'whatsappId' | 'repliesUntil'>,
  underWay: number[],
  what: 'template' | 'free',
): Promise<number> {
  if (ticket.status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
  const whatsappId = ticket.whatsappId ?? refuse('ERR_WAPP_NOT_INITIALIZED')
  if (!underWay.includes(whatsappId)) return refuse(await whyNotUnderWay(tx))
  if (what === 'free' && repliesAreOver(ticket.repliesUntil, databaseNow() - SKEW_MS))
    return refuse('ERR_WAPP_WINDOW_CLOSED')
  return whatsappId
}

/** `again`: it was sent before; files that came with the repeated call are not needed. */
export interface Sent {
  message: Message
  also: Message[]
  again: boolean
}

/** The ids of further files follow from the first, so that a repeated call finds all of them. */
const nextId = (id: string, at: number) => idFrom(`${id} ${at}`)

/** A message that the viewer may read in the conversation of a ticket; null when it does not belong to it. */
export async function readableIn(
  tx: Tx,
  messageId: string,
  ticket: Pick<Ticket, 'id' | 'contactId' | 'status' | 'queueId' | 'userId'>,
): Promise<Message | null> {
  const message = await loadMessage(tx, messageId)
  const its = message && (message.ticketId === ticket.id ? ticket : await loadTicket(tx, message.ticketId))
  return message && its && isInConversation(viewerOf(tx), ticket, message, its) ? message : null
}

/**
 * The contents of a draft: a message for each file, or one. Refuses with ERR_BAD_REQUEST when it is empty, or a template
 * on a network without templates; ERR_FILE_TYPE for a sticker that is none; ERR_NOT_FOUND, ERR_NO_CONTACT_FOUND,
 * ERR_WAPP_INVALID_CONTACT for what it names.
 */
export async function messagePartsOf(
  tx: Tx,
  whatsappId: number,
  draft: MessageInput,
  files: StoredFile[],
): Promise<Part[]> {
  const body = draft.body ?? ''
  if (draft.template) return [await templatePartOf(tx, whatsappId, draft.template, { body, files })]
  if (draft.poll && files.length > 0)
    return refuse('ERR_BAD_REQUEST', { field: 'poll', message: 'Without files' })
  if (draft.poll) return [pollPart(draft.poll)]
  if (draft.isSticker) return [stickerPart(files, body)]
  if (files.length > 0)
    return files.map((file, at) => filePart(file, at === 0 ? body : '', { isVoice: draft.isVoice ?? false }))
  if (draft.contactIds) return [dataPart('vcard', await cardsOf(tx, draft.contactIds))]
  if (draft.location || draft.locationId) return [dataPart('location', await locationOf(tx, draft))]
  if (draft.choices) return [choicesPart(body, draft.choices)]
  return body.trim() ? [{ body }] : refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
}

async function templatePartOf(
  tx: Tx,
  whatsappId: number,
  template: NonNullable<MessageInput['template']>,
  { body, files }: { body: string; files: StoredFile[] },
): Promise<Part> {
  const wrong = (message: string) => refuse('ERR_BAD_REQUEST', { field: 'template', message })
  if ((await findConnection(tx, whatsappId)).lib !== 'cloud')
    return wrong('Only on connections of the official API')
  const [file, ...more] = files
  if (more.length > 0) return wrong('A header has one file')
  return templatePart(template, body, { file: file && filePart(file, body, { isVoice: false }) })
}

async function locationOf(tx: Tx, { locationId, location }: MessageInput): Promise<PlaceData> {
  const { latitude, longitude, name = '' } = location ?? (await findLocation(tx, locationId!))
  return { latitude, longitude, name, address: '', isLive: false }
}

async function cardsOf(tx: Tx, contactIds: number[]): Promise<CardData> {
  const known = await numbersOf(tx, contactIds)
  return {
    contacts: contactIds.map(id => {
      const { name, number } = known.get(id) ?? refuse('ERR_NO_CONTACT_FOUND', { field: 'contactIds' })
      if (!number) return refuse('ERR_WAPP_INVALID_CONTACT', { field: 'contactIds' })
      return { name, phones: [{ number, onWhatsApp: true }] }
    }),
  }
}

/** Sends a failed message again, under its first WhatsApp id. Refuses with ERR_FETCH_WAPP_MSG, ERR_COMPANY_SUSPENDED. */
export const resend = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    // Locked before it is read: of two concurrent calls the second must see that it waits already.
    const failed = (await lockMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    const ticket = await findReadableOf(tx, failed)
    if (!failed.fromMe || failed.ack !== FAILED || failed.isDeleted) return refuse('ERR_FETCH_WAPP_MSG')
    await lockTicket(tx, ticket.id)
    return leaveAgain(tx, failed)
  })

/** Puts a failed message back into the outbox, without a time limit. The caller holds its lock. Refuses with ERR_COMPANY_SUSPENDED. */
export async function leaveAgain(tx: Tx, failed: MessageRow): Promise<Message> {
  await readAccountStatus(tx)
  const { id: messageId, whatsappId } = failed
  if (whatsappId !== null) tx.emit(outboxFilled, { whatsappId, messageId })
  return saveMessage(tx, failed, {
    ack: WAITING,
    failReason: '',
    waits: true,
    outbox: 'queued',
    attempts: 0,
    tries: 0,
    retryAt: null,
    leavesUntil: null,
  })
}
