import type { ChatMessage, ChatRoom } from '@balcao/contract/chat.ts'
import { LONG_PAGE } from '@balcao/contract/kit.ts'
import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import { and, desc, eq, inArray, lt, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { usersWhere } from '../users/users.queries.ts'
import { users } from '../users/users.table.ts'
import { chatMembers, chatMessages, chatRooms } from './chat.table.ts'

const shown = {
  id: chatMessages.id,
  roomId: chatMessages.roomId,
  from: { id: chatMessages.userId, name: chatMessages.userName },
  body: chatMessages.body,
  medias: chatMessages.medias,
  ticketId: chatMessages.ticketId,
  position: chatMessages.position,
  isDeleted: chatMessages.isDeleted,
  editedAt: chatMessages.editedAt,
  createdAt: chatMessages.createdAt,
}

/** The rooms of the viewer, the one that was written in last first. */
export async function selectRooms(tx: Tx, page: { pageNumber?: number | undefined }, where?: SQL) {
  const found = tx.sql
    .select({ room: chatRooms, read: chatMembers.readPosition })
    .from(chatMembers)
    .innerJoin(chatRooms, inRoom())
    .where(and(ofViewer(tx), where))
    .orderBy(desc(chatRooms.at), desc(chatRooms.id))
  const { rows, hasMore } = await onePage(
    page,
    (limit, offset) => found.limit(limit).offset(offset),
    LONG_PAGE,
  )
  const ids = rows.map(({ room }) => room.id)
  const [members, last] = [await membersOfRooms(tx, ids), await newestIn(tx, ids)]
  const viewerId = viewerOf(tx).id
  const rooms = rows.map(({ room, read }): ChatRoom => {
    const own = members.filter(({ roomId }) => roomId === room.id)
    const other = own.find(({ id }) => id !== viewerId)
    return {
      id: room.id,
      name: room.name || (room.isGroup ? own.map(({ name }) => name).join(', ') : (other?.name ?? '')),
      isGroup: room.isGroup,
      ownerId: room.ownerId,
      userIds: own.map(({ id }) => id),
      members: own.map(({ id, name }) => ({ id, name })),
      unread: room.lastPosition - read,
      lastMessage: last.find(({ roomId }) => roomId === room.id) ?? null,
      createdAt: room.createdAt,
    }
  })
  return { rooms, hasMore }
}

/** Refuses with ERR_NOT_FOUND where the viewer is not in the room. */
export async function findRoom(tx: Tx, roomId: number): Promise<ChatRoom> {
  const { rooms } = await selectRooms(tx, {}, eq(chatRooms.id, roomId))
  return rooms[0] ?? refuse('ERR_NOT_FOUND', { field: 'roomId' })
}

export async function countUnread(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({
      unread: tag<number>`coalesce(sum(${chatRooms.lastPosition} - ${chatMembers.readPosition}), 0)::int`,
    })
    .from(chatMembers)
    .innerJoin(chatRooms, inRoom())
    .where(ofViewer(tx))
  return row!.unread
}

const inRoom = () => and(eq(chatRooms.companyId, chatMembers.companyId), eq(chatRooms.id, chatMembers.roomId))
const ofViewer = (tx: Tx) =>
  and(eq(chatMembers.companyId, tx.companyId), eq(chatMembers.userId, viewerOf(tx).id))

/** Those who are in these rooms, who are longest in them first. */
export const membersOfRooms = (tx: Tx, roomIds: number[]) =>
  tx.sql
    .select({ roomId: chatMembers.roomId, id: users.id, name: users.name })
    .from(chatMembers)
    .innerJoin(users, and(eq(users.companyId, chatMembers.companyId), eq(users.id, chatMembers.userId)))
    .where(and(eq(chatMembers.companyId, tx.companyId), inArray(chatMembers.roomId, roomIds)))
    .orderBy(chatMembers.joinedAt, chatMembers.userId)

/** Those in a room who may read it: a right that was withdrawn ends what is pushed, too. */
export async function readersOf(tx: Tx, roomId: number): Promise<number[]> {
  const members = tx.sql
    .select({ userId: chatMembers.userId })
    .from(chatMembers)
    .where(and(eq(chatMembers.companyId, tx.companyId), eq(chatMembers.roomId, roomId)))
  const found = await usersWhere(tx, inArray(users.id, members))
  return found.map(viewerFrom).flatMap(viewer => (may(viewer, 'chat') ? viewer.id : []))
}

const newestIn = (tx: Tx, roomIds: number[]): PromiseLike<ChatMessage[]> =>
  tx.sql
    .select(shown)
    .from(chatMessages)
    .innerJoin(
      chatRooms,
      and(
        eq(chatRooms.companyId, chatMessages.companyId),
        eq(chatRooms.id, chatMessages.roomId),
        eq(chatRooms.lastPosition, chatMessages.position),
      ),
    )
    .where(and(eq(chatMessages.companyId, tx.companyId), inArray(chatMessages.roomId, roomIds)))

/** Refuses with ERR_NOT_FOUND where the viewer is not in the room; its row is locked. */
export async function lockRoom(tx: Tx, roomId: number) {
  const [row] = await tx.sql
    .select({ room: chatRooms })
    .from(chatRooms)
    .innerJoin(chatMembers, inRoom())
    .where(and(ofViewer(tx), eq(chatRooms.id, roomId)))
    .for('update', { of: chatRooms })
  return row?.room ?? refuse('ERR_NOT_FOUND', { field: 'roomId' })
}

/** One page of a room, oldest first. */
export async function selectChatMessages(
  tx: Tx,
  roomId: number,
  { before, pageNumber }: { before?: number | undefined; pageNumber?: number | undefined },
) {
  const found = tx.sql
    .select(shown)
    .from(chatMessages)
    .where(and(ofRoom(tx, roomId), before === undefined ? undefined : lt(chatMessages.position, before)))
    .orderBy(desc(chatMessages.position))
  const { rows, hasMore } = await onePage(
    { pageNumber },
    (limit, offset) => found.limit(limit).offset(offset),
    LONG_PAGE,
  )
  return { messages: rows.reverse(), hasMore }
}

const ofRoom = (tx: Tx, roomId: number) =>
  and(eq(chatMessages.companyId, tx.companyId), eq(chatMessages.roomId, roomId))

export async function searchMessages(
  tx: Tx,
  asked: { searchParam: string; pageNumber?: number | undefined },
) {
  const found = tx.sql
    .select(shown)
    .from(chatMessages)
    .innerJoin(
      chatMembers,
      and(
        eq(chatMembers.companyId, chatMessages.companyId),
        eq(chatMembers.roomId, chatMessages.roomId),
        eq(chatMembers.userId, viewerOf(tx).id),
      ),
    )
    .where(and(eq(chatMessages.companyId, tx.companyId), containing(asked.searchParam, chatMessages.body)))
    .orderBy(desc(chatMessages.createdAt), desc(chatMessages.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { messages: rows, hasMore }
}

/** A message of a room of the viewer. Refuses with ERR_NOT_FOUND. */
export async function findMessage(tx: Tx, messageId: string): Promise<ChatMessage> {
  const message = await messageOr(tx, messageId)
  if (!message) return refuse('ERR_NOT_FOUND', { field: 'messageId' })
  await lockRoom(tx, message.roomId)
  return (await messageOr(tx, messageId)) ?? refuse('ERR_NOT_FOUND', { field: 'messageId' })
}

/** Of the company, whoever wrote it; null when there is none. */
export async function messageOr(tx: Tx, messageId: string): Promise<ChatMessage | null> {
  const [row] = await tx.sql.select(shown).from(chatMessages).where(one(tx, messageId))
  return row ?? null
}

const one = (tx: Tx, messageId: string) =>
  and(eq(chatMessages.companyId, tx.companyId), eq(chatMessages.id, messageId))

export async function insertChatMessage(
  tx: Tx,
  message: Pick<
    typeof chatMessages.$inferInsert,
    'id' | 'roomId' | 'body' | 'medias' | 'ticketId' | 'position'
  >,
): Promise<ChatMessage> {
  const { id: userId, name: userName } = viewerOf(tx)
  const [row] = await tx.sql
    .insert(chatMessages)
    .values({ ...message, companyId: tx.companyId, userId, userName })
    .returning({ createdAt: chatMessages.createdAt })
  const { id, roomId, body, medias = [], ticketId = null, position } = message
  return {
    ...{ id, roomId, from: { id: userId, name: userName }, body, medias, ticketId, position },
    ...{ isDeleted: false, editedAt: null, createdAt: row!.createdAt },
  }
}

export async function updateChatMessage(
  tx: Tx,
  messageId: string,
  values: Partial<Pick<typeof chatMessages.$inferInsert, 'body' | 'medias' | 'ticketId' | 'isDeleted'>>,
  isEdit: boolean,
): Promise<ChatMessage> {
  await tx.sql
    .update(chatMessages)
    .set({ ...values, ...(isEdit && { editedAt: tag`now()` }) })
    .where(one(tx, messageId))
  return (await messageOr(tx, messageId))!
}

/** Whether a message names the file, and whether the viewer is in its room and may read there. */
export async function fileInChat(tx: Tx, address: string): Promise<{ isNamed: boolean; isMember: boolean }> {
  const rows = await tx.sql
    .select({ userId: chatMembers.userId })
    .from(chatMessages)
    .leftJoin(
      chatMembers,
      and(
        eq(chatMembers.companyId, chatMessages.companyId),
        eq(chatMembers.roomId, chatMessages.roomId),
        eq(chatMembers.userId, tx.viewer?.id ?? 0),
      ),
    )
    .where(
      and(
        eq(chatMessages.companyId, tx.companyId),
        tag`${chatMessages.medias} <> '[]'`,
        tag`${chatMessages.medias} @> ${JSON.stringify([{ url: address }])}::jsonb`,
      ),
    )
    .limit(1)
  const mayRead = tx.viewer !== null && may(tx.viewer, 'chat')
  return { isNamed: rows.length > 0, isMember: mayRead && rows.some(({ userId }) => userId !== null) }
}
