import { type ChatRoom, type ChatRoomInput, MAX_CHAT_ROOMS } from '@balcao/contract/chat.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import { refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files/served.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { chatRoomChanged } from './chat.events.ts'
import { findRoom, lockRoom, membersOfRooms } from './chat.queries.ts'
import {
  addMembers,
  countMade,
  deleteRoom,
  disownRooms,
  insertGroup,
  readUpTo,
  removeMember,
  removeMembers,
  roomOfTwo,
  roomsOfUser,
  updateRoom,
  usersAmong,
} from './chat.rooms.queries.ts'

type RoomInput = z.output<typeof ChatRoomInput>

/** The room with one colleague, or a new group. Refuses with ERR_NO_USER_FOUND, and with ERR_BAD_REQUEST beyond MAX_CHAT_ROOMS. */
export const openRoom = (scope: Scope, { name, userIds }: RoomInput): Promise<ChatRoom> =>
  scope.transaction(async tx => {
    const me = viewerOf(tx).id
    const others = [...new Set(userIds)].filter(id => id !== me)
    await refuseStrangers(tx, others)
    const [other, ...more] = others
    if (other === undefined) return refuse('ERR_BAD_REQUEST', { field: 'userIds', message: 'Required' })
    const isGroup = name !== undefined || more.length > 0
    if (isGroup && (await countMade(tx)) >= MAX_CHAT_ROOMS)
      return refuse('ERR_BAD_REQUEST', { field: 'name', message: 'Too many' })
    const room = isGroup
      ? { id: await insertGroup(tx, name ?? ''), isNew: true }
      : await roomOfTwo(tx, me, other)
    await addMembers(tx, room.id, [me, ...others], 0)
    if (room.isNew) tx.emit(chatRoomChanged, { roomId: room.id, userIds: [me, ...others] })
    return findRoom(tx, room.id)
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, ERR_NO_USER_FOUND. */
export const changeRoom = (scope: Scope, roomId: number, input: Partial<RoomInput>): Promise<ChatRoom> =>
  scope.transaction(async tx => {
    const viewer = viewerOf(tx)
    const room = await lockRoom(tx, roomId)
    if (!room.isGroup || (room.ownerId !== viewer.id && !may(viewer, 'admin')))
      return refuse('ERR_NO_PERMISSION')
    if (input.name !== undefined) await updateRoom(tx, roomId, { name: input.name })
    if (input.userIds) {
      const wanted = [...new Set([viewer.id, ...input.userIds])]
      await refuseStrangers(tx, wanted)
      const gone = (await removeMembers(tx, roomId, wanted)).map(({ userId }) => userId)
      await addMembers(tx, roomId, wanted, room.lastPosition)
      if (room.ownerId !== null && gone.includes(room.ownerId)) await handOver(tx, roomId)
      if (gone.length > 0) tx.emit(chatRoomChanged, { roomId, userIds: gone, isGone: true })
    }
    const changed = await findRoom(tx, roomId)
    tx.emit(chatRoomChanged, { roomId, userIds: changed.userIds })
    return changed
  })

/** Refuses with ERR_NOT_FOUND; a room of two with ERR_BAD_REQUEST. */
export const leaveRoom = (scope: Scope, roomId: number): Promise<void> =>
  scope.transaction(async tx => {
    const { isGroup, ownerId } = await lockRoom(tx, roomId)
    if (!isGroup) return refuse('ERR_BAD_REQUEST', { field: 'roomId' })
    await part(tx, { id: roomId, ownerId }, viewerOf(tx).id)
  })

/** Refuses with ERR_NOT_FOUND. */
export const readRoom = (scope: Scope, roomId: number, position: number): Promise<{ unread: number }> =>
  scope.transaction(async tx => {
    const { id } = viewerOf(tx)
    const unread = await readUpTo(tx, roomId, id, position)
    if (unread === null) return refuse('ERR_NOT_FOUND', { field: 'roomId' })
    tx.emit(chatRoomChanged, { roomId, userIds: [id], unread })
    return { unread }
  })

/** A user is about to be deleted: what the user wrote stays, groups go to who is longest in them. */
export async function partFromAll(tx: Tx, userId: number): Promise<void> {
  for (const { room, userName } of await roomsOfUser(tx, userId)) {
    if (!room.isGroup) await updateRoom(tx, room.id, { name: userName })
    await part(tx, room, userId)
  }
  await disownRooms(tx, userId)
}

/** A room without members goes with its messages and files. */
async function part(tx: Tx, room: { id: number; ownerId: number | null }, userId: number): Promise<void> {
  await removeMember(tx, room.id, userId)
  tx.emit(chatRoomChanged, { roomId: room.id, userIds: [userId], isGone: true })
  const left = (await membersOfRooms(tx, [room.id])).map(({ id }) => id)
  if (left.length === 0) return removeFiles(tx, await deleteRoom(tx, room.id))
  if (room.ownerId === userId) await handOver(tx, room.id)
  tx.emit(chatRoomChanged, { roomId: room.id, userIds: left })
}

async function handOver(tx: Tx, roomId: number) {
  const [longest] = await membersOfRooms(tx, [roomId])
  await updateRoom(tx, roomId, { ownerId: longest?.id ?? null })
}

async function refuseStrangers(tx: Tx, userIds: number[]) {
  if (userIds.length > 0 && (await usersAmong(tx, userIds)).length < userIds.length)
    refuse('ERR_NO_USER_FOUND', { field: 'userIds' })
}
