import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { Message, type MessageVersion } from '@balcao/contract/messages.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../../platform/errors.ts'
import { Written } from '../../../platform/http/routes.ts'
import { pageKeysOf } from '../../../platform/lists/page-keys.ts'
import { keepTexts } from '../../../platform/lists/row-cache.ts'
import { patternOf } from '../../../platform/lists/sought.ts'
import type { Signals } from '../../../platform/live/signals.ts'
import { perProduct } from '../../../platform/memory.ts'
import { together } from '../../../platform/postgres/db.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { keepsDeleted } from '../../companies/companies.queries.ts'
import { markRead } from '../../tickets/tickets.actions.ts'
import { findReadable, findReadableOf, findTicket, lockTicket } from '../../tickets/tickets.queries.ts'
import { type ReadNotice, readTopic } from '../messages.events.ts'
import { loadMessage, loadMessages } from '../messages.queries.ts'
import {
  countUnreadAfter,
  type MarkedMessage,
  markMessagesRead,
  positionOf,
  rowBefore,
  rowOf,
  rowsOfPage,
} from './thread.queries.ts'
import { versionsOf } from './versions.queries.ts'

/** A section of a conversation, its messages as JSON texts. */
export interface Page {
  messages: string[]
  /** Whether one of the ticket's own messages is not read yet. */
  hasUnread: boolean
  /** The position of its last message. */
  upTo: number
  hasMore: boolean
  hasNewer: boolean
  ticket: Ticket
}

const keysOf = pageKeysOf<{ position: number; id: string }>()

/** Before the first row: a page that starts here is empty. */
const NOWHERE = { position: -1, id: '00000000-0000-0000-0000-000000000000' }

/**
 * One page of a conversation, oldest first, 40 a page counted from the newest. Which messages are part of it
 * follows from the group's viewMessagesByTicket (OP-69). Refuses with ERR_NO_TICKET_FOUND, and with
 * ERR_NO_PERMISSION for a pending ticket that the caller may not read.
 */
export const listMessages = (
  scope: Scope,
  ticketId: number,
  input: { pageNumber?: number; searchTerm?: string },
): Promise<Page> =>
  scope.page(async tx => {
    const viewer = viewerOf(scope)
    const keys = keysOf(tx)
    const { pageNumber: page = 1, searchTerm = '' } = input
    const list = `${viewer.id} ${ticketId} ${searchTerm}`
    const values = {
      companyId: tx.companyId,
      ticketId,
      viewerId: viewer.id,
      words: searchTerm,
      term: patternOf(searchTerm),
      ...NOWHERE,
    }
    const selection = {
      ...selectionOf(viewer),
      searching: searchTerm !== '',
      onward: page > 1 ? ('older' as const) : null,
    }
    const from =
      selection.onward &&
      (keys.start(list, page) ?? (await rowBefore(tx, selection, values, page)) ?? NOWHERE)
    const [ticket, found] = await together(
      tx.sql,
      () => findReadable(tx, ticketId),
      () => rowsOfPage(tx.sql, selection, { ...values, ...from }),
    )
    const rows = found.slice(0, LONG_PAGE).reverse()
    const [last] = rows
    if (from && last) keys.remember(list, page, from)
    if (last) keys.remember(list, page + 1, last)
    return {
      messages: await textsOf(tx, rows),
      hasUnread: rows.some(({ isUnread, ticketId: its }) => isUnread && its === ticketId),
      upTo: rows.at(-1)?.position ?? 0,
      hasMore: found.length > LONG_PAGE,
      hasNewer: page > 1,
      ticket,
    }
  })

/** Which messages of the contact's other conversations a viewer sees. */
export const selectionOf = (viewer: Viewer) => ({
  mode: viewer.authorization.viewMessagesByTicket,
  pending: may(viewer, 'tickets:viewPending'),
})

export interface Beside {
  around?: string | undefined
  before?: string | undefined
  after?: string | undefined
}

/**
 * A section of a conversation, oldest first: the messages around one, or a page of those before or after it. Refuses as
 * `listMessages`, and with ERR_FETCH_WAPP_MSG when the conversation does not hold the message.
 */
export const listBeside = (
  scope: Scope,
  ticketId: number,
  { around, before, after }: Beside,
): Promise<Page> =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    const ticket = await findReadable(tx, ticketId)
    const selection = { ...selectionOf(viewer), searching: false, onward: null }
    const values = { companyId: tx.companyId, ticketId, viewerId: viewer.id, words: '', term: '' }
    const from = await rowOf(tx, selection, values, around ?? before ?? after ?? '')
    if (!from) return refuse('ERR_FETCH_WAPP_MSG')
    const onward = (to: 'older' | 'newer', itself = false) =>
      rowsOfPage(tx.sql, { ...selection, onward: to, itself }, { ...values, ...from })
    const most = around ? LONG_PAGE / 2 : LONG_PAGE
    const older = after ? [] : await onward('older')
    const newer = before ? [] : await onward('newer', around !== undefined)
    const rows = [...older.slice(0, most).reverse(), ...newer.slice(0, most)]
    return {
      messages: await textsOf(tx, rows),
      hasUnread: rows.some(({ isUnread, ticketId: its }) => isUnread && its === ticketId),
      upTo: rows.at(-1)?.position ?? 0,
      hasMore: after !== undefined || older.length > most,
      hasNewer: before !== undefined || newer.length > most,
      ticket,
    }
  })

const cacheOf = perProduct(() => keepTexts(32))

/**
 * The JSON texts of messages, in the order given; deleted rows are left out. A text is reused while its mark is unchanged
 * (decision 007). The caller decided which rows the viewer may see.
 */
const textsOf = (tx: Tx, rows: MarkedMessage[]): Promise<string[]> =>
  cacheOf(tx).of(
    rows,
    id => `${tx.companyId} ${id}`,
    async missing =>
      (await loadMessages(tx, missing)).map(message => [message.id, JSON.stringify(Message.parse(message))]),
  )

export const writePage = ({ messages, hasMore, hasNewer, ticket }: Page) =>
  new Written(
    `{"messages":[${messages.join()}],"hasMore":${hasMore},"hasNewer":${hasNewer},"ticket":${JSON.stringify(Ticket.parse(ticket))}}`,
  )

/**
 * The owner of an open ticket was sent its newest page: messages up to there are read, or up to the one that the reader saw,
 * and the network is notified. Later ones stay unread. Other viewers change nothing. Answers the ticket as it is then.
 */
export async function readByOwner(
  scope: Scope,
  { ticket, hasUnread, upTo: last }: Pick<Page, 'ticket' | 'hasUnread' | 'upTo'>,
  seen: string | undefined,
  signals: Signals,
): Promise<Ticket> {
  if (ticket.status !== 'open' || ticket.userId !== scope.viewer?.id) return ticket
  // accepting resets the count; the network is notified when the messages are shown
  if (ticket.unreadMessages === 0 && !hasUnread) return ticket
  const { after, read } = await scope.transaction(async tx => {
    const upTo = Math.min(last, (seen && (await positionOf(tx, seen))) || last)
    await lockTicket(tx, ticket.id)
    const read = await markMessagesRead(tx, ticket.id, upTo)
    await markRead(tx, ticket.id, await countUnreadAfter(tx, ticket.id, upTo))
    return { after: await findTicket(tx, ticket.id), read }
  })
  const notice: ReadNotice = { companyId: scope.companyId, contactId: ticket.contactId, messages: read }
  if (ticket.whatsappId !== null && read.length > 0) signals.notify(readTopic(ticket.whatsappId), notice)
  return after
}

/**
 * Previous texts of a message, oldest first, for readers of its ticket; of a deleted one admins read who deleted it, and
 * what it was where the company keeps that. Refuses with ERR_FETCH_WAPP_MSG when there is no message, or not for the caller.
 */
export const listVersions = (scope: Scope, messageId: string): Promise<MessageVersion[]> =>
  scope.read(async tx => {
    const message = (await loadMessage(tx, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    await findReadableOf(tx, message)
    const deleted = may(viewerOf(scope), 'admin')
    if (!message.isDeleted) return versionsOf(tx, messageId, { edited: true, deleted })
    if (!deleted) return []
    const isKept = await keepsDeleted(tx)
    const versions = await versionsOf(tx, messageId, { edited: isKept, deleted })
    return isKept
      ? versions
      : versions.map(version => ({ ...version, body: '', mediaUrl: null, media: null }))
  })
