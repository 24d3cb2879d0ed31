import { randomUUID } from 'node:crypto'
import type { CardData, PlaceData } from '@balcao/contract/media.ts'
import type { MessageInput } from '@balcao/contract/messages.input.ts'
import { FAILED, sign, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { isInConversation, repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../../platform/errors.ts'
import type { StoredFile } from '../../../platform/files/files.ts'
import { idFrom } from '../../../platform/ids.ts'
import { LANES, sharingCommits, unlessRefused } from '../../../platform/lanes.ts'
import { allEnded, together } from '../../../platform/postgres/db.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { readAccountStatus } from '../../companies/companies.status.queries.ts'
import { connectionsUnderWay, findConnection, whyNotUnderWay } from '../../connections/connections.queries.ts'
import { numbersOf } from '../../contacts/contacts.queries.ts'
import { findLocation } from '../../locations/locations.queries.ts'
import {
  findReadableOf,
  loadTicket,
  lockTicket,
  lockTickets,
  type OwnedRow,
  type TicketRow,
  visible,
} from '../../tickets/tickets.queries.ts'
import { type PostedFields, post, saveMessage } from '../messages.actions.ts'
import { companyWrote, draftsSent, outboxFilled, type SentDraft } from '../messages.events.ts'
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
import { idleChats, leavingOf } from './leaving.actions.ts'
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
): Promise<Sent> =>
  refusingKnownIds(sendTogether({ scope, ticketId, draft, files, id: draft.id ?? randomUUID() }), 'id')

interface Asked {
  scope: Scope
  ticketId: number
  draft: MessageInput
  files: StoredFile[]
  /** Of the first message. */
  id: string
}

/** What the users of one company send while others are being stored shares the next commit. */
const sendTogether = sharingCommits(sendAll, ({ ticketId }: Asked) => ticketId)

async function sendAll(tx: Tx, asked: Asked[]): Promise<PromiseSettledResult<Sent>[]> {
  const idsOf = ({ id, files }: Asked) => [id, ...files.slice(1).map((_file, at) => nextId(id, at + 1))]
  const ticketIds = [...new Set(asked.map(({ ticketId }) => ticketId))]
  // behind the locks of the tickets: of two copies that come at once the second must see the first
  const [tickets, known, underWay, idle] = await together(
    tx.sql,
    () => lockTickets(tx, ticketIds),
    () => loadMessages(tx, asked.flatMap(idsOf)),
    () => connectionsUnderWay(tx),
    () => idleChats(tx, ticketIds),
  )
  const facts = { tickets, sent: known, underWay }
  const decided = await allEnded(
    asked.map((one, at) => unlessRefused(decide(tx.lane(at % LANES, one.scope.viewer), one, facts))),
  )
  const plans = decided.flatMap(one =>
    one.status === 'fulfilled' && one.value.drafts.length > 0 ? one.value : [],
  )
  const drafts = plans.flatMap(plan => plan.drafts)
  const leaving = leavingOf(tx, drafts, idle)
  const written = drafts.map(draft => ({ ...draft, isLeaving: leaving.has(draft.id) }))
  const posted = written.length > 0 ? await post(tx, written) : []
  const sent = plans.flatMap(({ cleared }) => cleared ?? [])
  const writtenIn = [...new Set(drafts.map(draft => draft.ticketId))]
  await together(
    tx.sql,
    async () => writtenIn.length > 0 && tx.involve(companyWrote, { ticketIds: writtenIn }),
    async () => sent.length > 0 && tx.involve(draftsSent, { sent }),
    leaving.load,
  )
  const messages = new Map(
    [...known, ...posted.map(one => one.message)].map(message => [message.id, message]),
  )
  return decided.map((one, at) => {
    if (one.status === 'rejected') return one
    const [message, ...also] = idsOf(asked[at]!).flatMap(id => messages.get(id) ?? [])
    return { status: 'fulfilled', value: { message: message!, also, again: one.value.drafts.length === 0 } }
  })
}

/**
 * What one call sends; nothing where it was `sent` before. `cleared`: the draft that was sent. In the name of the viewer of `tx`;
 * it only reads. `underWay`: connections over which messages may leave.
 */
async function decide(
  tx: Tx,
  one: Asked,
  known: { tickets: Map<number, OwnedRow>; sent: Message[]; underWay: number[] },
): Promise<{ drafts: PostedFields[]; cleared?: SentDraft | undefined }> {
  const { tickets, sent, underWay } = known
  const { ticketId, draft, files, id } = one
  const me = viewerOf(tx)
  const ticket = tickets.get(ticketId)
  if (!ticket || !visible(tx, ticket)) return refuse('ERR_NO_TICKET_FOUND')
  const before = sent.find(message => message.id === id)
  if (before)
    return before.ticketId === ticketId && before.user?.id === me.id
      ? { drafts: [] }
      : refuse('ERR_CREATING_MESSAGE', { field: 'id' })
  const whatsappId = await requireConnection(tx, ticket, underWay, draft.template ? 'template' : 'free')
  // a quote points to a message that the author may read in this conversation
  const quoted = draft.quotedMsg ? await readableIn(tx, draft.quotedMsg, ticket) : null
  // a note is quoted by notes only: a quote shows its text to the customer
  if (draft.quotedMsg && (!quoted || quoted.isPrivate))
    return refuse('ERR_FETCH_WAPP_MSG', { field: 'quotedMsg' })
  const parts = await mentioning(tx, ticket, draft, await messagePartsOf(tx, whatsappId, draft, files))
  const isSigned = me.signMessage && !me.authorization.disableSignature && !draft.template && !draft.poll
  const to = { ticketId, contactId: ticket.contactId, whatsappId, userId: me.id, source: 'person' as const }
  const now = databaseNow()
  const drafts = parts.map((part, at) => ({
    ...{ ...to, ...part, ...(isSigned && { body: sign(me.name, part.body) }) },
    id: nextId(id, at),
    quotedId: at === 0 ? (quoted?.id ?? null) : null,
    // lists are ordered by time: the messages of one call have distinct times
    createdAt: new Date(now + at).toISOString(),
  }))
  return { drafts, cleared: draft.draftAt ? { userId: me.id, ticketId, at: draft.draftAt } : undefined }
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
const nextId = (id: string, at: number) => (at === 0 ? id : idFrom(`${id} ${at}`))

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
