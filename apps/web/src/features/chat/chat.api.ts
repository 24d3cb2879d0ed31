import { type LoadedRooms, withMessages } from '@balcao/contract/chat.rules.ts'
import { type ChatMessage, chat } from '@balcao/contract/chat.ts'
import { users } from '@balcao/contract/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { patch } from '../../platform/query.ts'

export const CHAT_ROOMS = ['chat', 'rooms']

export const chatRooms = queryOptions({
  queryKey: CHAT_ROOMS,
  queryFn: (): Promise<LoadedRooms> => call(chat.rooms),
})

export const chatMessages = (roomId: number) =>
  queryOptions({
    queryKey: ['chat', 'messages', roomId],
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

interface LoadedMessages {
  messages: ChatMessage[]
  hasMore: boolean
}

/** Inserts or replaces messages of a room that is loaded. */
export const putChatMessages = (roomId: number, given: ChatMessage[], hasMore?: boolean) =>
  patch<LoadedMessages>(['chat', 'messages', roomId], loaded => ({
    messages: withMessages(loaded.messages, given),
    hasMore: hasMore ?? loaded.hasMore,
  }))

/** Throws ApiError. */
export async function loadOlderChat(roomId: number, before: number): Promise<void> {
  const { messages, hasMore } = await call(chat.messages, { params: { roomId }, query: { before } })
  putChatMessages(roomId, messages, hasMore)
}
