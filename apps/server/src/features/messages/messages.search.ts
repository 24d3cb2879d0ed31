import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { and, desc, eq, or, type SQL, sql as tag } from 'drizzle-orm'
import { refuse } from '../../platform/errors.ts'
import { pageKeys } from '../../platform/pages.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { selectMessages, toMessage } from './messages.queries.ts'
import { messages } from './messages.table.ts'

const keys = pageKeys<{ createdAt: string; id: string }>()

export interface Page {
  messages: Message[]
  hasMore: boolean
  ticket: Ticket
}

/**
 * One page of a conversation, oldest first, 40 a page counted from the newest. Which messages are part of it
 * follows from the group's viewMessagesByTicket (OP-69). Refuses with ERR_NO_TICKET_FOUND, and with
 * ERR_NO_PERMISSION for a pending ticket that the caller may not look into.
 */
export const listMessages = (
  scope: Scope,
  ticketId: number,
  input: { pageNumber?: number; searchTerm?: string },
): Promise<Page> =>
  scope.transaction(async tx => {
    const viewer = viewerOf(scope)
    const ticket = await findTicket(tx, ticketId)
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    const { pageNumber: page = 1, searchTerm = '' } = input
    const place = `${viewer.id} ${ticketId} ${searchTerm}`
    const from = page > 1 ? keys.start(place, page) : undefined
    const query = selectMessages(tx.sql)
      .where(
        and(
          eq(messages.companyId, tx.companyId),
          shown(viewer.authorization.viewMessagesByTicket, viewer.id, ticket),
          searchTerm ? tag`lower(${messages.body}) like ${like(searchTerm)}` : undefined,
          from &&
            tag`(${messages.createdAt}, ${messages.id}) < (${from.createdAt}::timestamptz, ${from.id}::uuid)`,
        ),
      )
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(LONG_PAGE + 1)
    const rows = await (from || page === 1 ? query : query.offset((page - 1) * LONG_PAGE))
    const newestFirst = rows.slice(0, LONG_PAGE).map(toMessage)
    const last = newestFirst.at(-1)
    if (last) keys.remember(place, page + 1, last)
    return { messages: newestFirst.reverse(), hasMore: rows.length > LONG_PAGE, ticket }
  })

function shown(mode: 0 | 1 | 2, userId: number, ticket: Ticket): SQL | undefined {
  if (mode === 0) return eq(messages.contactId, ticket.contactId)
  if (mode === 2) return eq(messages.ticketId, ticket.id)
  return and(
    eq(messages.contactId, ticket.contactId),
    or(eq(tickets.userId, userId), eq(tickets.id, ticket.id)),
  )
}

const like = (term: string) => `%${term.toLowerCase().replace(/[\\%_]/g, found => `\\${found}`)}%`
