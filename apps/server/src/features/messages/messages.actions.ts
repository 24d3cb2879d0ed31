import { randomBytes, randomUUID } from 'node:crypto'
import { repliesAreOver } from '@balcao/contract/cloud.rules.ts'
import { FAILED, sign, WAITING } from '@balcao/contract/messages.rules.ts'
import type { Message, MessageInput } from '@balcao/contract/messages.ts'
import { standsIn } from '@balcao/contract/tickets.rules.ts'
import type { MessageSource, Ticket } from '@balcao/contract/tickets.ts'
import { together } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files.ts'
import { idFrom } from '../../platform/ids.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { askStanding } from '../companies/companies.standing.ts'
import { connectionsUnderWay, whyNotUnderWay } from '../connections/connections.queries.ts'
import {
  findReadable,
  loadTicket,
  lockTicket,
  lockVisible,
  type TicketRow,
} from '../tickets/tickets.queries.ts'
import { messagePartsOf, type Part } from './messages.content.ts'
import { companyWrote, messageCreated, outboxFilled } from './messages.events.ts'
import { loadMessage, loadMessages, lockMessage, type MessageRow } from './messages.queries.ts'
import { insertMessage, saveMessage } from './messages.save.ts'
import type { messages } from './messages.table.ts'

/** Clocks differ: Meta decides about what was written at the last moment. */
const SKEW_MS = 120_000

/**
 * Puts messages in the outbox of the ticket's connection and answers the first with ack 1, the others in `also`;
 * sending comes after. The same draft id twice is sent once. Refuses with ERR_NO_TICKET_FOUND, ERR_TICKET_NOT_OPEN,
 * ERR_WAPP_WINDOW_CLOSED where only a template may go, ERR_WAPP_NOT_INITIALIZED for a ticket without a connection, or one whose session nobody started,
 * ERR_COMPANY_SUSPENDED, and ERR_BAD_REQUEST when nothing is said.
 */
export const send = (
  scope: Scope,
  ticketId: number,
  draft: MessageInput,
  files: StoredFile[] = [],
): Promise<Sent> =>
  scope.transaction(async tx => {
    const me = viewerOf(scope)
    const now = Date.now()
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
    if (ticket.status !== 'open') return refuse('ERR_TICKET_NOT_OPEN')
    const whatsappId = ticket.whatsappId ?? refuse('ERR_WAPP_NOT_INITIALIZED')
    if (!underWay.includes(whatsappId)) return refuse(await whyNotUnderWay(tx))
    if (!draft.template && repliesAreOver(ticket.repliesUntil, now - SKEW_MS))
      return refuse('ERR_WAPP_WINDOW_CLOSED')
    const quotedId = draft.quotedMsg ? await quotable(tx, draft.quotedMsg, ticket) : null
    const to = {
      ticketId,
      contactId: ticket.contactId,
      whatsappId,
      source: 'person' as const,
      userId: me.id,
    }
    const isSigned = me.signMessage && !me.authorization.disableSignature && !draft.template
    const posted: Message[] = []
    for (const [at, { body, ...content }] of (await messagePartsOf(tx, whatsappId, draft, files)).entries())
      posted.push(
        await post(tx, {
          ...to,
          ...content,
          id: at === 0 ? id : nextId(id, at),
          body: isSigned ? sign(me.name, body) : body,
          quotedId: at === 0 ? quotedId : null,
          // lists are ordered by time: of one call no two have the same
          createdAt: new Date(now + at).toISOString(),
        }),
      )
    const [message, ...others] = posted
    return { message: message!, also: others, again: false }
  })

/** `again`: it was sent before; what came along a second time is not needed. */
export interface Sent {
  message: Message
  also: Message[]
  again: boolean
}

/** Tries a failed message again, under the WhatsApp id of the first try. Refuses with ERR_FETCH_WAPP_MSG, ERR_COMPANY_SUSPENDED. */
export const resend = (scope: Scope, messageId: string): Promise<Message> =>
  scope.transaction(async tx => {
    // Locked before it is judged: of two who ask at once the second must see that it leaves already.
    const failed = (await lockMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    const ticket = await findReadable(tx, failed.ticketId)
    if (!failed.fromMe || failed.ack !== FAILED || failed.isDeleted) return refuse('ERR_FETCH_WAPP_MSG')
    await lockTicket(tx, ticket.id)
    return leaveAgain(tx, failed)
  })

/** Puts a message that failed back into the outbox. The caller holds its lock. Refuses with ERR_COMPANY_SUSPENDED. */
export async function leaveAgain(tx: Tx, failed: MessageRow): Promise<Message> {
  await askStanding(tx)
  const { id: messageId, whatsappId } = failed
  if (whatsappId !== null) tx.emit(outboxFilled, { whatsappId, messageId })
  return saveMessage(tx, failed, { ack: WAITING, failReason: '', outbox: 'queued', attempts: 0 })
}

type Post = Pick<
  typeof messages.$inferInsert,
  'id' | 'ticketId' | 'contactId' | 'userId' | 'quotedId' | 'dueAt' | 'typing' | 'typingFrom'
> &
  Part & { whatsappId: number; createdAt: string; source: MessageSource }

/**
 * The one way out: the row is the outbox, and it is in the same commit as everything that shows it. With `dueAt` it
 * leaves then, and the customer sees `typing` from `typingFrom` on.
 */
export const post = async (tx: Tx, fields: Post, part: 'answer' | 'aside' = 'answer'): Promise<Message> =>
  (await posted(tx, fields, part)).message

/** The same, with the ticket as it stands then. */
export async function posted(
  tx: Tx,
  fields: Post,
  part: 'answer' | 'aside' = 'answer',
): Promise<{ message: Message; ticket: Ticket }> {
  const row = {
    ...fields,
    companyId: tx.companyId,
    externalId: newExternalId(),
    fromMe: true,
    ack: WAITING,
    read: true,
    outbox: 'queued',
  } as const
  const { message, ticket } = await insertMessage(tx, row, part)
  tx.emit(messageCreated, { message, ticket })
  tx.emit(outboxFilled, { whatsappId: fields.whatsappId, messageId: message.id })
  if (fields.source === 'person') await tx.involve(companyWrote, { message })
  return { message, ticket }
}

/** A quote points to a message that the author reads in this conversation, or nowhere. */
async function quotable(tx: Tx, quotedId: string, ticket: TicketRow) {
  const quoted = await loadMessage(tx, quotedId)
  const place = quoted && (quoted.ticketId === ticket.id ? ticket : await loadTicket(tx, quoted.ticketId))
  return quoted && place && standsIn(viewerOf(tx), ticket, quoted, place)
    ? quotedId
    : refuse('ERR_FETCH_WAPP_MSG', { field: 'quotedMsg' })
}

/** The ids of further files follow from the first, so that all of them are known when it is sent again. */
const nextId = (id: string, at: number) => idFrom(`${id} ${at}`)

/** The shape of ids that WhatsApp Web makes, so that ours do not stand out. */
const newExternalId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
