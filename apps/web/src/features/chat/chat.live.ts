import { type LoadedRooms, withChatMessage, withChatRead } from '@balcao/contract/chat.rules.ts'
import { chatMessageChannel, chatRoomChannel } from '@balcao/contract/chat.ts'
import { listen } from '../../platform/live.ts'
import { askAgain, patch } from '../../platform/query.ts'
import { CHAT_ROOMS, putChatMessages } from './chat.api.ts'

/** Keeps rooms and messages as the server has them. */
export function followChat(viewerId: number): () => void {
  const deaf = [
    listen(chatMessageChannel, push => {
      putChatMessages(push.message.roomId, [push.message])
      patch<LoadedRooms>(CHAT_ROOMS, loaded => {
        const now = withChatMessage(loaded, push, viewerId)
        if (!now) void askAgain({ queryKey: CHAT_ROOMS })
        return now ?? loaded
      })
    }),
    listen(chatRoomChannel, ({ roomId, unread }) => {
      if (unread === undefined) void askAgain({ queryKey: CHAT_ROOMS })
      else patch<LoadedRooms>(CHAT_ROOMS, loaded => withChatRead(loaded, roomId, unread))
    }),
  ]
  return () => {
    for (const stop of deaf) stop()
  }
}
