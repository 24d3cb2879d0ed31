import { canRead } from '@balcao/contract/tickets.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { PayloadOf } from '../../platform/events.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import type { noteKept } from '../messages/messages.events.ts'
import { knownQueues } from '../queues/queues.queries.ts'
import { mentioned, mentionsChanged } from './mentions.events.ts'
import {
  countUnreadMentions,
  markMentionsSeen,
  ownMentions,
  putMentions,
  usersMentionedIn,
  viewersMentioned,
} from './mentions.queries.ts'

/** The viewer's mentions, newest first, of tickets that they may read now. */
export const listMentions = (
  scope: Scope,
  { onlyUnread = false, ...page }: { pageNumber?: number | undefined; onlyUnread?: boolean | undefined },
) =>
  scope.list(async tx => {
    const viewer = viewerOf(scope)
    const found = ownMentions(tx, viewer, onlyUnread)
    const { rows, hasMore } = await onePage(page, (limit, offset) => found.limit(limit).offset(offset))
    return { mentions: rows, unread: await countUnreadMentions(tx, viewer), hasMore }
  })

/** Marks own mentions as read, all without ids; what is not the viewer's stays. */
export const readMentions = (scope: Scope, ids: number[] | undefined) =>
  scope.transaction(async tx => {
    const viewer = viewerOf(scope)
    if ((await markMentionsSeen(tx, viewer.id, ids)) > 0) tx.emit(mentionsChanged, { userId: viewer.id })
    return { unread: await countUnreadMentions(tx, viewer) }
  })

/**
 * The mentions of a note become those that it names now. A member of a queue who may not read the ticket is left out. Refuses
 * with ERR_NO_USER_FOUND and ERR_NO_QUEUE_FOUND, and with ERR_MENTION_NOT_ALLOWED where a user who is named may not read it;
 * of those that it named before, who is gone or may not read it any more is left out, so that the text can still be changed.
 */
export async function followNote(tx: Tx, kept: PayloadOf<typeof noteKept>): Promise<void> {
  const { id: messageId, mentions: userIds = [], queueMentions: queueIds = [] } = kept.message
  const reached = userIds.length + queueIds.length > 0 ? await reachedBy(tx, { userIds, queueIds }, kept) : []
  const authorId = kept.message.user?.id
  const { added, before } = await putMentions(
    tx,
    messageId,
    reached.filter(id => id !== authorId),
  )
  for (const userId of before) tx.emit(mentionsChanged, { userId })
  for (const { userId, ...mention } of added) tx.emit(mentioned, { userId, mention })
}

/** Tickets are about to go with their notes: whoever was mentioned there counts anew. */
export async function partFromTickets(tx: Tx, ticketIds: number[]): Promise<void> {
  for (const userId of await usersMentionedIn(tx, ticketIds)) tx.emit(mentionsChanged, { userId })
}

async function reachedBy(
  tx: Tx,
  { userIds, queueIds }: { userIds: number[]; queueIds: number[] },
  { ticket, before }: PayloadOf<typeof noteKept>,
): Promise<number[]> {
  const isNew = (id: number) => userIds.includes(id) && !before.mentions.includes(id)
  await knownQueues(
    tx,
    queueIds.filter(id => !before.queueMentions.includes(id)),
    'queueMentions',
  )
  const viewers = await viewersMentioned(tx, { userIds, queueIds })
  if (userIds.some(id => isNew(id) && !viewers.some(viewer => viewer.id === id)))
    return refuse('ERR_NO_USER_FOUND', { field: 'mentions' })
  const apart = viewers.filter(viewer => isNew(viewer.id) && !canRead(viewer, ticket))
  if (apart.length > 0) {
    const names = apart.map(({ name }) => name)
    return refuse('ERR_MENTION_NOT_ALLOWED', {
      field: 'mentions',
      message: `May not read this ticket: ${names.join(', ')}`,
      details: { names, userIds: apart.map(({ id }) => id) },
    })
  }
  return viewers.filter(viewer => canRead(viewer, ticket)).map(({ id }) => id)
}
