import { namesFiles } from '../../platform/files/orphans.ts'
import { and, count, eq, inArray, notInArray, sql as tag } from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { users } from '../users/users.table.ts'
import { chatMembers, chatMessages, chatRooms } from './chat.table.ts'

/** Those of the ids that are users of the company. */
export const usersAmong = (tx: Tx, userIds: number[]) =>
  tx.sql
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), inArray(users.id, userIds)))

export async function countMade(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({ made: count() })
    .from(chatRooms)
    .where(and(eq(chatRooms.companyId, tx.companyId), eq(chatRooms.ownerId, viewerOf(tx).id)))
  return row!.made
}

/** The room of two people: it is made where there is none. `isNew`: it was made now. */
export async function roomOfTwo(tx: Tx, one: number, other: number) {
  const pair = { lowId: Math.min(one, other), highId: Math.max(one, other) }
  const [made] = await tx.sql
    .insert(chatRooms)
    .values({ companyId: tx.companyId, isGroup: false, ...pair })
    .onConflictDoNothing()
    .returning({ id: chatRooms.id })
  if (made) return { id: made.id, isNew: true }
  const [known] = await tx.sql
    .select({ id: chatRooms.id })
    .from(chatRooms)
    .where(
      and(
        eq(chatRooms.companyId, tx.companyId),
        eq(chatRooms.lowId, pair.lowId),
        eq(chatRooms.highId, pair.highId),
        tag`not ${chatRooms.isGroup}`,
      ),
    )
  return { id: known!.id, isNew: false }
}

export async function insertGroup(tx: Tx, name: string): Promise<number> {
  const [row] = await tx.sql
    .insert(chatRooms)
    .values({ companyId: tx.companyId, isGroup: true, name, ownerId: viewerOf(tx).id })
    .returning({ id: chatRooms.id })
  return row!.id
}

/** They read on from what is there; the others stay as they are. */
export const addMembers = (tx: Tx, roomId: number, userIds: number[], readPosition: number) =>
  tx.sql
    .insert(chatMembers)
    .values(userIds.map(userId => ({ companyId: tx.companyId, roomId, userId, readPosition })))
    .onConflictDoNothing()

export const removeMembers = (tx: Tx, roomId: number, besides: number[]) =>
  tx.sql
    .delete(chatMembers)
    .where(and(ofRoom(tx, roomId), notInArray(chatMembers.userId, besides)))
    .returning({ userId: chatMembers.userId })

export const removeMember = (tx: Tx, roomId: number, userId: number) =>
  tx.sql.delete(chatMembers).where(and(ofRoom(tx, roomId), eq(chatMembers.userId, userId)))

const ofRoom = (tx: Tx, roomId: number) =>
  and(eq(chatMembers.companyId, tx.companyId), eq(chatMembers.roomId, roomId))

export const updateRoom = (tx: Tx, roomId: number, values: Partial<typeof chatRooms.$inferInsert>) =>
  tx.sql
    .update(chatRooms)
    .set(values)
    .where(and(eq(chatRooms.companyId, tx.companyId), eq(chatRooms.id, roomId)))

/** One more message: its position, in a row that is locked by now. */
export async function nextChatPosition(tx: Tx, roomId: number): Promise<number> {
  const [row] = await tx.sql
    .update(chatRooms)
    .set({ lastPosition: tag`${chatRooms.lastPosition} + 1`, at: tag`now()` })
    .where(and(eq(chatRooms.companyId, tx.companyId), eq(chatRooms.id, roomId)))
    .returning({ position: chatRooms.lastPosition })
  return row!.position
}

/** The user has read so far; never less than before, and no more than there is. Answers what is unread; null where he is no member. */
export async function readUpTo(
  tx: Tx,
  roomId: number,
  userId: number,
  position: number,
): Promise<number | null> {
  const [row] = await tx.sql
    .update(chatMembers)
    .set({ readPosition: tag`greatest(${chatMembers.readPosition}, least(${position}, ${lastIn(roomId)}))` })
    .where(and(ofRoom(tx, roomId), eq(chatMembers.userId, userId)))
    .returning({ unread: tag<number>`(${lastIn(roomId)} - ${chatMembers.readPosition})::int` })
  return row?.unread ?? null
}

const lastIn = (roomId: number) =>
  tag`(select r.last_position from chat_rooms r where r.company_id = chat_members.company_id and r.id = ${roomId})`

/** Deletes a room with its messages; answers the addresses of their files. */
export async function deleteRoom(tx: Tx, roomId: number): Promise<string[]> {
  const withFiles = await tx.sql
    .select({ medias: chatMessages.medias })
    .from(chatMessages)
    .where(
      and(
        eq(chatMessages.companyId, tx.companyId),
        eq(chatMessages.roomId, roomId),
        tag`${chatMessages.medias} <> '[]'`,
      ),
    )
  await tx.sql.delete(chatRooms).where(and(eq(chatRooms.companyId, tx.companyId), eq(chatRooms.id, roomId)))
  return withFiles.flatMap(({ medias }) => medias.map(({ url }) => url))
}

/** The rooms of a user who is about to be deleted, with the user's name. */
export const roomsOfUser = (tx: Tx, userId: number) =>
  tx.sql
    .select({ room: chatRooms, userName: users.name })
    .from(chatMembers)
    .innerJoin(
      chatRooms,
      and(eq(chatRooms.companyId, chatMembers.companyId), eq(chatRooms.id, chatMembers.roomId)),
    )
    .innerJoin(users, and(eq(users.companyId, chatMembers.companyId), eq(users.id, chatMembers.userId)))
    .where(and(eq(chatMembers.companyId, tx.companyId), eq(chatMembers.userId, userId)))

/** Rooms that a user owns without being in them have no owner any more. */
export const disownRooms = (tx: Tx, userId: number) =>
  tx.sql
    .update(chatRooms)
    .set({ ownerId: null })
    .where(and(eq(chatRooms.companyId, tx.companyId), eq(chatRooms.ownerId, userId)))

export const chatFiles = namesFiles(
  chatMessages,
  tag`case when ${chatMessages.medias} <> '[]' then jsonb_path_query_array(${chatMessages.medias}, '$[*].url') end`,
)
