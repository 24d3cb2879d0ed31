import { randomUUID } from 'node:crypto'
import type { ChatInput, ChatMedia, ChatMessage } from '@balcao/contract/chat.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { findReadable } from '../tickets/tickets.queries.ts'
import { chatMessageChanged, chatMessageSent } from './chat.events.ts'
import {
  countUnread,
  findMessage,
  findRoom,
  insertChatMessage,
  lockRoom,
  messageOr,
  readersOf,
  searchMessages,
  selectChatMessages,
  selectRooms,
  updateChatMessage,
} from './chat.queries.ts'
import { nextChatPosition, readUpTo } from './chat.rooms.queries.ts'

export const listRooms = (scope: Scope, page: { pageNumber?: number | undefined }) =>
  scope.list(async tx => ({ ...(await selectRooms(tx, page)), unread: await countUnread(tx) }))

/** Refuses with ERR_NOT_FOUND who is not in the room. */
export const listChatMessages = (
  scope: Scope,
  roomId: number,
  query: { before?: number | undefined; pageNumber?: number | undefined },
) =>
  scope.list(async tx => {
    await findRoom(tx, roomId)
    return selectChatMessages(tx, roomId, query)
  })

export const search = (scope: Scope, query: { searchParam: string; pageNumber?: number | undefined }) =>
  scope.list(tx => searchMessages(tx, query))

/**
 * Writes to a room; `isAgain`: the chosen id was there, and nothing was written. Refuses with ERR_NOT_FOUND who is not in
 * the room, with ERR_BAD_REQUEST what is empty or has another one's id, and as `findReadable` a ticket.
 */
export const sendToRoom = (
  scope: Scope,
  roomId: number,
  { id = randomUUID(), body, ticketId }: z.output<typeof ChatInput>,
  files: StoredFile[],
): Promise<Written> =>
  scope
    .transaction(tx => write(tx, roomId, { id, body, ticketId, files }))
    // in another room another transaction has the same id
    .catch((error: unknown) =>
      isUniqueViolation(error, 'chat_messages_company_id_id_pk')
        ? refuse('ERR_BAD_REQUEST', { field: 'id' })
        : Promise.reject(error),
    )

interface Written {
  message: ChatMessage
  isAgain: boolean
}

interface Asked {
  id: string
  body: string
  ticketId: number | undefined
  files: StoredFile[]
}

async function write(tx: Tx, roomId: number, { id, body, ticketId, files }: Asked): Promise<Written> {
  const { isGroup, name } = await lockRoom(tx, roomId)
  const known = await messageOr(tx, id)
  if (known)
    return known.roomId === roomId && known.from.id === viewerOf(tx).id
      ? { message: known, isAgain: true }
      : refuse('ERR_BAD_REQUEST', { field: 'id' })
  if (body.trim() === '' && files.length === 0 && ticketId === undefined)
    return refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
  if (ticketId !== undefined) await findReadable(tx, ticketId)
  const position = await nextChatPosition(tx, roomId)
  const medias = files.map(mediaOf)
  const row = { id, roomId, body: body.trim(), medias, ticketId: ticketId ?? null, position }
  const message = await insertChatMessage(tx, row)
  // whoever writes has read what is there
  await readUpTo(tx, roomId, viewerOf(tx).id, position)
  const userIds = await announce(tx, 'create', message)
  const others = userIds.filter(userId => userId !== message.from.id)
  tx.emit(chatMessageSent, { message, userIds: others, roomName: isGroup ? name : '' })
  return { message, isAgain: false }
}

/** Refuses with ERR_NOT_FOUND, and with ERR_NO_PERMISSION what another one wrote. */
export const editMessage = (scope: Scope, messageId: string, body: string): Promise<ChatMessage> =>
  scope.transaction(async tx => {
    const before = await findOwn(tx, messageId)
    if (before.isDeleted) return refuse('ERR_NOT_FOUND', { field: 'messageId' })
    const message = await updateChatMessage(tx, messageId, { body }, true)
    await announce(tx, 'update', message)
    return message
  })

/** The place of the message stays. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const takeBackChatMessage = (scope: Scope, messageId: string): Promise<ChatMessage> =>
  scope.transaction(async tx => {
    const before = await findOwn(tx, messageId)
    await removeFiles(
      tx,
      before.medias.map(({ url }) => url),
    )
    const nothing = { body: '', medias: [], ticketId: null, isDeleted: true }
    const message = await updateChatMessage(tx, messageId, nothing, false)
    await announce(tx, 'update', message)
    return message
  })

async function findOwn(tx: Tx, messageId: string): Promise<ChatMessage> {
  const message = await findMessage(tx, messageId)
  return message.from.id === viewerOf(tx).id ? message : refuse('ERR_NO_PERMISSION')
}

async function announce(tx: Tx, action: 'create' | 'update', message: ChatMessage): Promise<number[]> {
  const userIds = await readersOf(tx, message.roomId)
  tx.emit(chatMessageChanged, { action, message, userIds })
  return userIds
}

const mediaOf = ({ key, kind, name, type, size, seconds, width, height }: StoredFile): ChatMedia => ({
  ...{ url: addressOf(key), kind, name, type, size },
  ...{ seconds: seconds ?? null, width: width ?? null, height: height ?? null },
})
