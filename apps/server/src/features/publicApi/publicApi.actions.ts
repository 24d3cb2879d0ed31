import { createHash, randomUUID } from 'node:crypto'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { PublicSendResponse } from '@balcao/contract/publicApi.ts'
import { canRead, repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../platform/clock.ts'
import { isLostRace, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { idFrom } from '../../platform/ids.ts'
import { inLanes, sharingCommits, unlessRefused } from '../../platform/lanes.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type SharedToken, shareToken, type TokenLine } from '../apiTokens/apiTokens.queries.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { whyNotUnderWay } from '../connections/connections.queries.ts'
import { addressees } from '../contacts/contacts.actions.ts'
import { findChat, findContact } from '../contacts/contacts.queries.ts'
import { type PostedFields, post } from '../messages/messages.actions.ts'
import { lockChats } from '../messages/messages.queries.ts'
import { idleChats, leavingOf } from '../messages/outbox/leaving.actions.ts'
import { messagePartsOf } from '../messages/outbox/outbox.actions.ts'
import { ensurePlaced } from '../tickets/moves/open.actions.ts'
import { reaches, repliesUntilOn } from '../tickets/moves/reach.queries.ts'
import { lockTicket } from '../tickets/tickets.queries.ts'
import { type ApiSendRow, claimSend, keepSends, sendOfKey, settleSend } from './publicApi.queries.ts'

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

/** Two calls that open one ticket meet in a row that is there once: each is done by itself. */
const keyOf = <One extends { draft: PublicDraft }>({ draft }: One) => JSON.stringify(draft.to)
const sendTogether = sharingCommits(sendAll, keyOf)

/** A call of which nothing was stored before. */
interface Call {
  id: string
  draft: PublicDraft
  files: StoredFile[]
  origin: string
  token: SharedToken
  line: TokenLine
}

async function sendAll(tx: Tx, asked: Asked[]): Promise<PromiseSettledResult<PublicSent>[]> {
  const tokens = new Map<number, Awaited<ReturnType<typeof shareToken>>>()
  for (const tokenId of new Set(asked.map(one => one.tokenId).sort((one, other) => one - other))) {
    const found = await unlessRefused(shareToken(tx, tokenId))
    if (found.status === 'fulfilled') tokens.set(tokenId, found.value)
  }
  const begun = await inLanes(tx, asked, { key: keyOf }, (lane, one) =>
    unlessRefused(begin(lane, one, tokens.get(one.tokenId))),
  )
  const calls = begun.flatMap(one => (one.status === 'fulfilled' && 'line' in one.value ? one.value : []))
  const sent = new Map((await sendCalls(tx, calls)).map(one => [one.answer.messageId, one]))
  return begun.map(one => {
    if (one.status === 'rejected') return one
    return { status: 'fulfilled', value: 'line' in one.value ? sent.get(one.value.id)! : one.value }
  })
}

/**
 * A call with a key is a row from now on; one that was answered before is answered so again. What is refused here has stored
 * nothing.
 */
async function begin(
  tx: Tx,
  { tokenId, draft, fetched, origin }: Asked,
  shared: { token: SharedToken; line: TokenLine | null } | undefined,
): Promise<Call | PublicSent> {
  const { token, line } = shared ?? refuse('ERR_API_TOKEN')
  const { key } = draft
  const known = key === null ? null : await sendOfKey(tx, tokenId, key)
  if (known) return { answer: answerOf(known, draft), again: true }
  const over = line ?? refuse('ERR_NO_WAPP_FOUND')
  if (!over.isUnderWay) return refuse(await whyNotUnderWay(tx))
  const id = randomUUID()
  const row = { id, tokenId, userId: token.userId, asked: fingerprint(draft) }
  const before = key === null ? null : await claimSend(tx, { ...row, key })
  if (before) return { answer: answerOf(before, draft), again: true }
  return { id, draft, files: [...draft.uploaded, ...fetched], origin, token, line: over }
}

/** Stores the messages of calls, and what each is answered. */
async function sendCalls(tx: Tx, calls: Call[]): Promise<PublicSent[]> {
  if (calls.length === 0) return []
  const people = await peopleOf(tx, calls)
  const placed = await inLanes(tx, calls, { key: keyOf }, (lane, call) =>
    draftsOf(lane, call, people.get(call)),
  )
  const drafts = placed.flatMap(one => one.drafts)
  const leaving = leavingOf(tx, drafts, await idleChats(tx, [...new Set(drafts.map(one => one.ticketId))]))
  const posted = await post(
    tx,
    drafts.map(draft => ({ ...draft, isLeaving: leaving.has(draft.id) })),
  )
  await leaving.load()
  const tickets = new Map(posted.map(({ message, ticket }) => [message.id, ticket]))
  const sent = calls.map(call => ({ answer: answerTo(call, tickets.get(call.id)!), again: false }))
  await keepCalls(tx, calls, placed, sent)
  return sent
}

/** The contacts that calls name by their numbers, whose chats are locked. */
async function peopleOf(tx: Tx, calls: Call[]) {
  const named = calls.flatMap(call =>
    typeof call.draft.to === 'string' ? { call, number: call.draft.to, name: call.draft.contactName } : [],
  )
  const lines = Map.groupBy(named, ({ call }) => call.line.id)
  for (const [lineId, own] of [...lines].sort(([one], [other]) => one - other))
    await lockChats(
      tx,
      lineId,
      own.map(({ number }) => number),
    )
  const contacts = named.length > 0 ? await addressees(tx, named) : []
  return new Map(named.map(({ call }, at) => [call, contacts[at]!]))
}

const answerTo = ({ id, origin, draft }: Call, ticket: Ticket): PublicSendResponse => ({
  ticketUrl: `${origin}/tickets/${ticket.id}`,
  ticketProtocol: ticket.protocol,
  contactName: ticket.contact.name,
  contactNumber: ticket.contact.number,
  number: typeof draft.to === 'string' ? draft.to : ticket.contact.number,
  ticketStatus: ticket.status,
  messageId: id,
})

/** The answer of each call, and a row for each of its further messages. */
async function keepCalls(tx: Tx, calls: Call[], placed: PlacedDrafts[], sent: PublicSent[]) {
  const rows = []
  for (const [at, { id, draft, token }] of calls.entries()) {
    const { drafts, isNew } = placed[at]!
    const { answer } = sent[at]!
    const [{ ticketId }] = drafts as [PostedFields]
    tx.note('a program sends by a token', { tokenId: token.id, by: token.userId, messageId: id, ticketId })
    const destroys = isNew && token.ticketSetStatus === 'destroy' ? ticketId : null
    const row = { tokenId: token.id, userId: token.userId, asked: fingerprint(draft) }
    if (draft.key === null) rows.push({ ...row, id, answer, destroys })
    else await settleSend(tx, id, { answer, destroys })
    for (const { id: messageId } of drafts.slice(1))
      rows.push({ ...row, id: messageId, answer: { ...answer, messageId }, destroys: null })
  }
  if (rows.length > 0) await keepSends(tx, rows)
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

interface PlacedDrafts {
  drafts: PostedFields[]
  /** Whether their ticket was opened for them. */
  isNew: boolean
}

async function draftsOf(
  tx: Tx,
  { id, draft, files, token, line }: Call,
  contact: Awaited<ReturnType<typeof addressees>>[number] | undefined,
): Promise<PlacedDrafts> {
  const { ticketId, contactId, isNew } = contact
    ? await inTicketOf(tx, token, line, contact)
    : await placed(tx, token, line, draft)
  const whatsappId = line.id
  const parts = await messagePartsOf(tx, whatsappId, { body: draft.body }, files)
  const now = databaseNow()
  const drafts = parts.map((part, at) => ({
    ...part,
    id: at === 0 ? id : idFrom(`${id} ${at}`),
    ...{ ticketId, contactId, whatsappId, source: 'api' as const, userId: null },
    createdAt: new Date(now + at).toISOString(),
  }))
  return { drafts, isNew }
}

interface Placed {
  ticketId: number
  contactId: number
  isNew: boolean
}

/** The ticket that the messages to a ticket or a contact go to, locked. */
async function placed(tx: Tx, token: SharedToken, line: TokenLine, { to }: PublicDraft): Promise<Placed> {
  if (typeof to === 'string') throw new Error('who is named by a number is a contact by now')
  if ('ticketId' in to) return inTicket(tx, token, line, to.ticketId)
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
