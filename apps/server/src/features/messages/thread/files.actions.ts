import type { PageQuery } from '@balcao/contract/kit.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { canRead, isInConversation } from '@balcao/contract/tickets.rules.ts'
import { onePage } from '../../../platform/lists/lists.ts'
import { type Scope, type Tx, viewerOf } from '../../../platform/scope.ts'
import { findReadable } from '../../tickets/tickets.queries.ts'
import { toMessage } from '../messages.queries.ts'
import { isOfVersion, messagesWithFiles, ticketsNaming, ticketsOfContacts } from './files.queries.ts'
import { selectionOf } from './thread.actions.ts'

/** The files of a conversation, newest first, as far as the caller may read its messages. Refuses as the conversation does. */
export const listFiles = (scope: Scope, ticketId: number, asked: PageQuery) =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    await findReadable(tx, ticketId)
    const selection = { ...selectionOf(viewer), searching: false, onward: null }
    const found = messagesWithFiles(tx, viewer, ticketId, selection)
    const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
    return { messages: rows.map(toMessage), hasMore }
  })

/**
 * Whether the viewer may read a message that names this file: in its own ticket, or in another of the contact's where it
 * is shown too (viewMessagesByTicket). Files of bots, flows and campaigns are the company's; a file sent by API is one
 * customer's; the original of a deleted message is shown to admins only.
 */
export async function mayReadFile(tx: Tx, address: string): Promise<boolean> {
  const viewer = tx.viewer
  if (viewer === null || may(viewer, 'admin')) return true
  const named = await ticketsNaming(tx, address)
  if (named.length === 0) return !(await isOfVersion(tx, address))
  if (may(viewer, 'tickets:showAll') || named.some(one => one.isShared || canRead(viewer, one))) return true
  if (viewer.authorization.viewMessagesByTicket === 2) return false
  const others = await ticketsOfContacts(tx, [...new Set(named.map(({ contactId }) => contactId))])
  const readable = others.filter(one => canRead(viewer, one))
  return named.some(message => readable.some(ticket => isInConversation(viewer, ticket, message, message)))
}
