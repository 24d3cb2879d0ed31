import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { pageKeys } from '../../platform/pages.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, desc, eq, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { loadMessages } from './messages.queries.ts'
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
  scope.read(async tx => {
    const viewer = viewerOf(scope)
    const ticket = await findTicket(tx, ticketId)
    if (!canRead(viewer, ticket)) return refuse('ERR_NO_PERMISSION')
    const { pageNumber: page = 1, searchTerm = '' } = input
    const place = `${viewer.id} ${ticketId} ${searchTerm}`
    const filter = and(
      eq(messages.companyId, tx.companyId),
      shown(viewer.authorization.viewMessagesByTicket, viewer.id, ticket),
      searchTerm ? tag`lower(${messages.body}) like ${like(searchTerm)}` : undefined,
    )
    const from = page > 1 ? (keys.start(place, page) ?? (await skip(tx, filter, page))) : undefined
    const ids = from === null ? [] : await idsOfPage(tx, and(filter, from && before(from)))
    const newestFirst = await loadMessages(
      tx,
      ids.slice(0, LONG_PAGE).map(({ id }) => id),
    )
    const last = newestFirst.at(-1)
    if (from) keys.remember(place, page, from)
    if (last) keys.remember(place, page + 1, last)
    return { messages: newestFirst.reverse(), hasMore: ids.length > LONG_PAGE, ticket }
  })

const newest = [desc(messages.createdAt), desc(messages.id)]

/** Written into the text, as in tickets.search.ts. */
const ONE_MORE = tag.raw(String(LONG_PAGE + 1)) as unknown as number

const idsOfPage = (tx: Tx, filter: SQL | undefined) =>
  tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(filter)
    .orderBy(...newest)
    .limit(ONE_MORE)

/** The last row before a page that nobody led to; null when the conversation ends earlier. Only the index is read. */
async function skip(tx: Tx, filter: SQL | undefined, page: number) {
  const [row] = await tx.sql
    .select({ createdAt: messages.createdAt, id: messages.id })
    .from(messages)
    .where(filter)
    .orderBy(...newest)
    .offset((page - 1) * LONG_PAGE - 1)
    .limit(1)
  return row ?? null
}

const before = ({ createdAt, id }: { createdAt: string; id: string }) =>
  tag`(${messages.createdAt}, ${messages.id}) < (${createdAt}::timestamptz, ${id}::uuid)`

function shown(mode: 0 | 1 | 2, userId: number, ticket: Ticket): SQL | undefined {
  if (mode === 0) return eq(messages.contactId, ticket.contactId)
  if (mode === 2) return eq(messages.ticketId, ticket.id)
  return and(eq(messages.contactId, ticket.contactId), or(eq(messages.ticketId, ticket.id), ofUser(userId)))
}

const ofUser = (userId: number) =>
  tag`exists (select from ${tickets} where ${tickets.companyId} = ${messages.companyId}
    and ${tickets.id} = ${messages.ticketId} and ${tickets.userId} = ${userId})`

const like = (term: string) => `%${term.toLowerCase().replace(/[\\%_]/g, found => `\\${found}`)}%`
