import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { partOf, rowsOfPage, wayOf } from './messages.search.ts'
import { messages } from './messages.table.ts'
import { type Page, textsOfMessages } from './messages.written.ts'

export interface Spot {
  around?: string | undefined
  before?: string | undefined
  after?: string | undefined
}

/**
 * A stretch of a conversation by one of its messages: with those on both sides of it, or a page of those before or
 * behind it. Oldest first. Refuses as a page does, and with ERR_FETCH_WAPP_MSG when the conversation does not hold it.
 */
export const listBeside = (scope: Scope, ticketId: number, { around, before, after }: Spot): Promise<Page> =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    const ticket = await findReadable(tx, ticketId)
    const way = { ...wayOf(viewer), searching: false, onward: null }
    const values = { companyId: tx.companyId, ticketId, viewerId: viewer.id, term: '' }
    const [from] = await tx.sql
      .select({ position: messages.position, id: messages.id })
      .from(messages)
      .where(and(partOf(way, values), eq(messages.id, around ?? before ?? after ?? '')))
    if (!from) return refuse('ERR_FETCH_WAPP_MSG')
    const onward = (to: 'older' | 'newer', itself = false) =>
      rowsOfPage(tx.sql, { ...way, onward: to, itself }, { ...values, ...from })
    const most = around ? LONG_PAGE / 2 : LONG_PAGE
    const older = after ? [] : await onward('older')
    const newer = before ? [] : await onward('newer', around !== undefined)
    const rows = [...older.slice(0, most).reverse(), ...newer.slice(0, most)]
    return {
      messages: await textsOfMessages(tx, rows),
      hasUnread: rows.some(({ isUnread, ticketId: its }) => isUnread && its === ticketId),
      hasMore: after !== undefined || older.length > most,
      hasNewer: before !== undefined || newer.length > most,
      ticket,
    }
  })
