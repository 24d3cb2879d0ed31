import { MAX_UNREAD_MENTIONS } from '@balcao/contract/mentions.ts'
import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, inArray, isNull, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { messages } from '../messages/messages.table.ts'
import { isReadable } from '../tickets/lists/visibility.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { selectUsers } from '../users/users.queries.ts'
import { userQueues, users } from '../users/users.table.ts'
import { mentions } from './mentions.table.ts'

const isOfMention = and(eq(messages.companyId, mentions.companyId), eq(messages.id, mentions.messageId))
const isItsTicket = and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId))

function selectMentions(sql: Sql) {
  return sql
    .select({
      id: mentions.id,
      userId: mentions.userId,
      ticketId: tickets.id,
      ticketUuid: tickets.uuid,
      messageId: mentions.messageId,
      from: { id: users.id, name: users.name },
      contact: { id: contacts.id, name: contacts.name },
      body: messages.body,
      createdAt: mentions.createdAt,
      readAt: mentions.readAt,
    })
    .from(mentions)
    .innerJoin(messages, isOfMention)
    .innerJoin(tickets, isItsTicket)
    .innerJoin(contacts, and(eq(contacts.companyId, tickets.companyId), eq(contacts.id, tickets.contactId)))
    .leftJoin(users, and(eq(users.companyId, messages.companyId), eq(users.id, messages.userId)))
    .$dynamic()
}

const ofUser = (tx: Tx, userId: number) =>
  and(eq(mentions.companyId, tx.companyId), eq(mentions.userId, userId))

/** The mentions of a viewer, newest first, of tickets that they may read now. */
export const ownMentions = (tx: Tx, viewer: Viewer, onlyUnread: boolean) =>
  selectMentions(tx.sql)
    .where(
      and(
        ofUser(tx, viewer.id),
        onlyUnread ? isNull(mentions.readAt) : undefined,
        isReadable(tx.companyId, viewer),
      ),
    )
    .orderBy(desc(mentions.id))

/** How many of them are not read; counted to MAX_UNREAD_MENTIONS. */
export async function countUnreadMentions(tx: Tx, viewer: Viewer): Promise<number> {
  const unread = tx.sql
    .select({ id: mentions.id })
    .from(mentions)
    .innerJoin(messages, isOfMention)
    .innerJoin(tickets, isItsTicket)
    .where(and(ofUser(tx, viewer.id), isNull(mentions.readAt), isReadable(tx.companyId, viewer)))
    .limit(MAX_UNREAD_MENTIONS)
    .as('unread')
  const [row] = await tx.sql.select({ count: tag<number>`count(*)::int` }).from(unread)
  return row!.count
}

/** Marks mentions of a user as read, all without ids. Answers how many were not. */
export async function markMentionsSeen(tx: Tx, userId: number, ids: number[] | undefined): Promise<number> {
  const marked = await tx.sql
    .update(mentions)
    .set({ readAt: databaseTime() })
    .where(and(ofUser(tx, userId), isNull(mentions.readAt), ids && inArray(mentions.id, ids)))
    .returning({ id: mentions.id })
  return marked.length
}

const inMessage = (tx: Tx, messageId: string) =>
  and(eq(mentions.companyId, tx.companyId), eq(mentions.messageId, messageId))

/** Whom a note mentions now. Answers the new mentions, and the users that it mentioned before. */
export async function putMentions(tx: Tx, messageId: string, userIds: number[]) {
  const known = await tx.sql
    .select({ userId: mentions.userId })
    .from(mentions)
    .where(inMessage(tx, messageId))
  const before = known.map(({ userId }) => userId)
  const gone = before.filter(userId => !userIds.includes(userId))
  if (gone.length > 0)
    await tx.sql.delete(mentions).where(and(inMessage(tx, messageId), inArray(mentions.userId, gone)))
  const added = userIds.filter(userId => !before.includes(userId))
  if (added.length === 0) return { added: [], before }
  await tx.sql.insert(mentions).values(added.map(userId => ({ companyId: tx.companyId, messageId, userId })))
  const rows = await selectMentions(tx.sql).where(
    and(inMessage(tx, messageId), inArray(mentions.userId, added)),
  )
  return { added: rows, before }
}

export async function usersMentionedIn(tx: Tx, ticketIds: number[]): Promise<number[]> {
  const rows = await tx.sql
    .selectDistinct({ userId: mentions.userId })
    .from(mentions)
    .innerJoin(messages, isOfMention)
    .where(and(eq(mentions.companyId, tx.companyId), inArray(messages.ticketId, ticketIds)))
  return rows.map(({ userId }) => userId)
}

/** Those of these users, and the members of these queues, who do not rest, as viewers. */
export async function viewersMentioned(
  tx: Tx,
  { userIds, queueIds }: { userIds: number[]; queueIds: number[] },
): Promise<Viewer[]> {
  const wanted = [
    userIds.length > 0 ? inArray(users.id, userIds) : undefined,
    queueIds.length > 0 ? inArray(users.id, membersOf(tx, queueIds)) : undefined,
  ]
  const found = await selectUsers(
    tx.sql,
    and(eq(users.companyId, tx.companyId), isNull(users.restingSince), or(...wanted)),
  )
  return found.map(viewerFrom)
}

const membersOf = (tx: Tx, queueIds: number[]) =>
  tx.sql
    .select({ userId: userQueues.userId })
    .from(userQueues)
    .where(and(eq(userQueues.companyId, tx.companyId), inArray(userQueues.queueId, queueIds)))
