import { createHash, randomUUID } from 'node:crypto'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { PublicSendResponse } from '@balcao/contract/publicApi.ts'
import { canRead, repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import { isLostRace, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { idFrom } from '../../platform/ids.ts'
import { inLanes, sharingCommits } from '../../platform/lanes.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type SharedToken, shareToken, type TokenLine } from '../apiTokens/apiTokens.queries.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { whyNotUnderWay } from '../connections/connections.queries.ts'
import { addressee } from '../contacts/contacts.actions.ts'
import { findChat, findContact } from '../contacts/contacts.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { lockChats, type Stored } from '../messages/messages.queries.ts'
import { messagePartsOf } from '../messages/outbox/outbox.actions.ts'
import { ensurePlaced } from '../tickets/moves/open.actions.ts'
import { reaches, repliesUntilOn } from '../tickets/moves/reach.queries.ts'
import { lockTicket } from '../tickets/tickets.queries.ts'
import { type ApiSendRow, claimSend, keepSend, sendOfKey, settleSend } from './publicApi.queries.ts'

/** What a program asks to be sent. */
export interface PublicDraft {
  /** A number, or what stands for one. */
  to: string | { ticketId: number } | { contactId: number }
  contactName: string
  body: string
  uploaded: StoredFile[]
  /** Of further files. */
  addresses: string[]
  /** Its Idempotency-Key; null without one. */
  key: string | null
}

/** `again`: it was sent before, and the files are not needed. */
export interface PublicSent {
  answer: PublicSendResponse
  again: boolean
}

/**
 * One commit, which calls that come meanwhile share: the call is a row of a unique cause, as each of its further messages has one to
 * be asked for by, and its messages are in the outbox of the token's connection. The same key again answers the same. Refuses with
 * ERR_API_TOKEN, ERR_IDEMPOTENCY_KEY, ERR_NO_WAPP_FOUND, ERR_WAPP_NOT_INITIALIZED, ERR_COMPANY_SUSPENDED, ERR_NO_TICKET_FOUND,
 * ERR_NO_CONTACT_FOUND, ERR_WAPP_INVALID_CONTACT, ERR_WAPP_WINDOW_CLOSED, ERR_OTHER_OPEN_TICKET and ERR_NO_QUEUE_FOUND where the user
 * of the token might not write to this contact or place a ticket so, and ERR_BAD_REQUEST when it is empty.
 */
export const sendByToken = (
  scope: Scope,
  tokenId: number,
  draft: PublicDraft,
  fetched: StoredFile[],
  origin: string,
): Promise<PublicSent> => retried(() => sendTogether({ scope, tokenId, draft, fetched, origin }))

interface Asked {
  scope: Scope
  tokenId: number
  draft: PublicDraft
  fetched: StoredFile[]
  origin: string
}

/** Two calls that add one person, named differently, or open one ticket meet in a row that is there once: each is done by itself. */
const keyOf = ({ draft }: Asked) => JSON.stringify(draft.to)
const sendTogether = sharingCommits(async (tx, asked: Asked[]) => {
  const sent = await inLanes(tx, asked, { key: keyOf }, sendOne)
  return sent.map(value => ({ status: 'fulfilled' as const, value }))
}, keyOf)

async function sendOne(tx: Tx, { tokenId, draft, fetched, origin }: Asked): Promise<PublicSent> {
  const { token, line } = await shareToken(tx, tokenId)
  const id = randomUUID()
  const call = { id, tokenId, userId: token.userId, key: draft.key, asked: fingerprint(draft) }
  const before = draft.key === null ? null : await claimSend(tx, { ...call, key: draft.key })
  if (before) return { answer: answerOf(before, draft), again: true }
  const { ticket, isNew, further } = await postMessages(tx, token, line, id, draft, [
    ...draft.uploaded,
    ...fetched,
  ])
  const answer = {
    ticketUrl: `${origin}/tickets/${ticket.id}`,
    ticketProtocol: ticket.protocol,
    contactName: ticket.contact.name,
    contactNumber: ticket.contact.number,
    number: typeof draft.to === 'string' ? draft.to : ticket.contact.number,
    ticketStatus: ticket.status,
    messageId: id,
  }
  tx.note('a program sends by a token', { tokenId, by: token.userId, messageId: id, ticketId: ticket.id })
  const destroys = isNew && token.ticketSetStatus === 'destroy' ? ticket.id : null
  if (draft.key === null) await keepSend(tx, { ...call, answer, destroys })
  else await settleSend(tx, id, { answer, destroys })
  for (const messageId of further)
    await keepSend(tx, {
      ...call,
      ...{ id: messageId, key: null, answer: { ...answer, messageId }, destroys: null },
    })
  return { answer, again: false }
}

/** What another call did at the same time, such as the same ticket, is found when it is done again. */
async function retried<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isLostRace(error)) throw error
    return tries > 1 ? retried(work, tries - 1) : refuse('ERR_OTHER_OPEN_TICKET')
  }
}

/**
 * What the same call was answered, before its files are fetched once more; null when it is new. Refuses with
 * ERR_IDEMPOTENCY_KEY.
 */
export const answeredBefore = (
  scope: Scope,
  tokenId: number,
  key: string,
  draft: PublicDraft,
): Promise<PublicSendResponse | null> =>
  scope.read(async tx => {
    const before = await sendOfKey(tx, tokenId, key)
    return before && answerOf(before, draft)
  })

const answerOf = ({ answer, asked }: ApiSendRow, draft: PublicDraft): PublicSendResponse =>
  answer && asked === fingerprint(draft)
    ? // of a call before there was a number in it
      { ...answer, number: typeof draft.to === 'string' ? draft.to : answer.number }
    : refuse('ERR_IDEMPOTENCY_KEY', { field: 'Idempotency-Key' })

async function postMessages(
  tx: Tx,
  token: SharedToken,
  line: TokenLine | null,
  id: string,
  draft: PublicDraft,
  files: StoredFile[],
) {
  const over = line ?? refuse('ERR_NO_WAPP_FOUND')
  if (!over.isUnderWay) return refuse(await whyNotUnderWay(tx))
  const { ticketId, contactId, isNew } = await placed(tx, token, over, draft)
  const whatsappId = over.id
  const parts = await messagePartsOf(tx, whatsappId, { body: draft.body }, files)
  const now = databaseNow()
  const drafts = parts.map((part, at) => ({
    ...part,
    id: at === 0 ? id : idFrom(`${id} ${at}`),
    ticketId,
    contactId,
    whatsappId,
    source: 'api' as const,
    userId: null,
    createdAt: new Date(now + at).toISOString(),
  }))
  const [{ ticket }] = (await post(tx, drafts)) as [Stored]
  return { ticket, isNew, further: drafts.slice(1).map(draft => draft.id) }
}

interface Placed {
  ticketId: number
  contactId: number
  isNew: boolean
}

/** The ticket that the messages go to, locked. */
async function placed(
  tx: Tx,
  token: SharedToken,
  line: TokenLine,
  { to, contactName }: PublicDraft,
): Promise<Placed> {
  if (typeof to === 'object' && 'ticketId' in to) return inTicket(tx, token, line, to.ticketId)
  if (typeof to === 'object') {
    const contact = await findContact(tx, to.contactId)
    const chat = await findChat(tx, contact.id)
    await lockChats(tx, line.id, [chat?.value ?? ''])
    if (!(await reaches(tx, contact.id, line.id))) {
      // refuses with ERR_NO_CONTACT_FOUND where the contact was deleted while this transaction waited for the chat
      await findContact(tx, contact.id)
      return refuse('ERR_WAPP_INVALID_CONTACT', { field: 'contactId' })
    }
    return inTicketOf(tx, token, line, contact)
  }
  const [, contact] = await together(
    tx.sql,
    () => lockChats(tx, line.id, [to]),
    () => addressee(tx, to, contactName),
  )
  return inTicketOf(tx, token, line, contact)
}

/** A ticket of the token's connection that the token's user may read, unchanged. */
async function inTicket(tx: Tx, token: SharedToken, line: TokenLine, ticketId: number): Promise<Placed> {
  const ticket = await lockTicket(tx, ticketId)
  const user = await userOf(tx, token)
  if (!ticket || ticket.whatsappId !== line.id || !canRead(user, ticket))
    return refuse('ERR_NO_TICKET_FOUND', { field: 'ticketId' })
  if (line.lib === 'cloud') await freelyUntil(tx, ticket.contactId, line.id, 'ticketId')
  return { ticketId, contactId: ticket.contactId, isNew: false }
}

async function inTicketOf(
  tx: Tx,
  token: SharedToken,
  { id: whatsappId, lib }: TokenLine,
  contact: { id: number; isGroup: boolean; ownerId: number | null },
): Promise<Placed> {
  const repliesUntil = lib === 'cloud' ? await freelyUntil(tx, contact.id, whatsappId, 'number') : null
  const another = token.ticketCreateOrUpdate === 'create'
  const state = { whatsappId, ...placeOf(token) }
  // a user who reads everything, as most that programs act for, is not loaded
  const by = token.readsAll ? null : await userOf(tx, token)
  const placed = await ensurePlaced(tx, contact, state, { another, by }, repliesUntil)
  return { ticketId: placed.id, contactId: contact.id, isNew: placed.isNew }
}

/** The user in whose name, and by whose rights, the token writes. Refuses with ERR_API_TOKEN where there is none. */
async function userOf(tx: Tx, { userId }: SharedToken): Promise<Viewer> {
  const user = userId === null ? null : await viewerOfUser(tx.sql, tx.companyId, userId)
  return user ?? refuse('ERR_API_TOKEN')
}

/** The official API writes to few, and not at any time; others to every number. Refuses where it does not. */
async function freelyUntil(
  tx: Tx,
  contactId: number,
  whatsappId: number,
  field: 'number' | 'ticketId',
): Promise<string | null> {
  if (!(await reaches(tx, contactId, whatsappId))) return refuse('ERR_WAPP_INVALID_CONTACT', { field })
  const until = await repliesUntilOn(tx, contactId, whatsappId)
  return repliesAreOver(until, databaseNow()) ? refuse('ERR_WAPP_WINDOW_CLOSED') : until
}

/** An open ticket needs a user: without one it waits. A ticket that is to be destroyed is closed, outside of all lists. */
function placeOf({ ticketSetStatus: wanted, userId, queueId }: SharedToken) {
  const status = wanted === 'destroy' ? 'closed' : wanted === 'open' && userId === null ? 'pending' : wanted
  return { status, queueId, userId: status === 'pending' ? null : userId } as const
}

/** What makes two calls the same. */
const fingerprint = ({ to, contactName, body, uploaded, addresses }: PublicDraft) =>
  createHash('sha256')
    .update(JSON.stringify([to, contactName, body, addresses, uploaded.map(({ sha256 }) => sha256)]))
    .digest('hex')
