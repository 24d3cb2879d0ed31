import type { PageQuery } from '@balcao/contract/kit.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { onePage } from '../../platform/lists.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { and, desc, eq, isNotNull, ne, sql as tag } from '../../platform/sql.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { inSight, sightOf, sightValues } from '../tickets/tickets.sight.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { selectMessages, toMessage } from './messages.queries.ts'
import { partOf, wayOf } from './messages.search.ts'
import { messages } from './messages.table.ts'

/**
 * The files of a conversation, newest first: of its messages those that have one, and of the contact's other
 * conversations only what the caller may read there. Refuses as the conversation does.
 */
export const listFiles = (scope: Scope, ticketId: number, asked: PageQuery) =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    await findReadable(tx, ticketId)
    const way = { ...wayOf(viewer), searching: false, onward: null }
    const all = { status: null, showAll: true }
    const found = selectMessages(tx.sql)
      .where(
        and(
          partOf(way, { companyId: tx.companyId, ticketId, viewerId: viewer.id, term: '' }),
          isNotNull(messages.mediaUrl),
          eq(messages.isDeleted, false),
          ne(messages.mediaType, 'sticker'),
          inSight(sightOf(viewer, all), sightValues(tx.companyId, viewer, all), {
            queueId: tag`${tickets.queueId}`,
            userId: tag`${tickets.userId}`,
          }),
          may(viewer, 'tickets:viewPending') ? undefined : ne(tickets.status, 'pending'),
        ),
      )
      .orderBy(desc(messages.position), desc(messages.id))
    const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
    return { messages: rows.map(toMessage), hasMore }
  })
