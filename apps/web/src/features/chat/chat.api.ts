import { type LoadedRooms, withMessages } from '@balcao/contract/chat.rules.ts'
import { type ChatMessage, type ChatRoom, chat } from '@balcao/contract/chat.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { patch, patchByPush, queryClient } from '../../platform/query.ts'

export const CHAT_ROOMS = ['chat', 'rooms']

/** The rooms that were loaded: fetched again they are as many. */
export const chatRooms = queryOptions({
  queryKey: CHAT_ROOMS,
  queryFn: async (): Promise<LoadedRooms> => {
    const most = queryClient.getQueryData<LoadedRooms>(CHAT_ROOMS)?.rooms.length ?? 0
    let loaded = await roomsOn(1)
    for (let page = 2; loaded.hasMore && loaded.rooms.length < most; page++)
      loaded = joined(loaded, await roomsOn(page))
    return loaded
  },
})

const roomsOn = (pageNumber: number) => call(chat.rooms, { query: { pageNumber } })

/** Rooms that moved while the pages were fetched stand once. */
function joined(loaded: LoadedRooms, next: LoadedRooms): LoadedRooms {
  const known = new Set(loaded.rooms.map(({ id }) => id))
  return { ...next, rooms: [...loaded.rooms, ...next.rooms.filter(({ id }) => !known.has(id))] }
}

/** Throws ApiError. */
export async function loadMoreRooms(count: number): Promise<void> {
  const next = await roomsOn(Math.floor(count / ROOMS_A_PAGE) + 1)
  patch<LoadedRooms>(CHAT_ROOMS, loaded => joined(loaded, next))
}

/** As the contract's long page. */
const ROOMS_A_PAGE = 40

/** A room that was made or changed is shown at once. */
export const putRoom = (room: ChatRoom) =>
  patch<LoadedRooms>(CHAT_ROOMS, loaded => ({
    ...loaded,
    rooms: loaded.rooms.some(({ id }) => id === room.id)
      ? loaded.rooms.map(one => (one.id === room.id ? room : one))
      : [room, ...loaded.rooms],
  }))

const messagesKey = (roomId: number) => ['chat', 'messages', roomId]

export const chatMessages = (roomId: number) =>
  queryOptions({
    queryKey: messagesKey(roomId),
    queryFn: () => call(chat.messages, { params: { roomId } }),
  })

export const chatColleagues = queryOptions({
  queryKey: ['chat', 'colleagues'],
  queryFn: () => call(users.all),
})

export const chatSearch = (searchParam: string) =>
  queryOptions({
    queryKey: ['chat', 'search', searchParam],
    queryFn: () => call(chat.search, { query: { searchParam } }),
    enabled: searchParam.trim().length > 1,
    gcTime: 0,
  })

/** A ticket that was shared, as far as the viewer may see it now. */
export const sharedTicket = (ticketId: number) =>
  queryOptions({
    queryKey: ['chat', 'ticket', ticketId],
    queryFn: () => call(tickets.show, { params: { ticketId } }),
    staleTime: 60_000,
  })

interface LoadedMessages {
  messages: ChatMessage[]
  hasMore: boolean
}

const withThese =
  (given: ChatMessage[], hasMore?: boolean) =>
  (loaded: LoadedMessages): LoadedMessages => ({
    messages: withMessages(loaded.messages, given),
    hasMore: hasMore ?? loaded.hasMore,
  })

/** Inserts or replaces messages of a room that is loaded. */
export const putChatMessages = (roomId: number, given: ChatMessage[], hasMore?: boolean) =>
  patch<LoadedMessages>(messagesKey(roomId), withThese(given, hasMore))

/** The same by a push: a fetch under way may have been read before it. */
export const pushChatMessage = (message: ChatMessage) =>
  patchByPush<LoadedMessages>(messagesKey(message.roomId), withThese([message]))

/** Throws ApiError. */
export async function loadOlderChat(roomId: number, before: number): Promise<void> {
  const { messages, hasMore } = await call(chat.messages, { params: { roomId }, query: { before } })
  putChatMessages(roomId, messages, hasMore)
}
