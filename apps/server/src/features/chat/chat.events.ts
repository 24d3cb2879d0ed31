import type { ChatMessage } from '@balcao/contract/chat.ts'
import { event } from '../../platform/events.ts'

/** A colleague wrote. `userIds`: the other members, who may want to know of it; `roomName` is empty for a room of two. */
export const chatMessageSent = event<{ message: ChatMessage; userIds: number[]; roomName: string }>(
  'chat.messageSent',
)

/** `userIds`: all members. */
export const chatMessageChanged = event<{
  action: 'create' | 'update'
  message: ChatMessage
  userIds: number[]
}>('chat.messageChanged')

/** A room is another one for these users. */
export const chatRoomChanged = event<{
  roomId: number
  userIds: number[]
  unread?: number
  isGone?: boolean
}>('chat.roomChanged')
