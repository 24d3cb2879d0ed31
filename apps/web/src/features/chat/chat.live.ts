import { type LoadedRooms, withChatMessage, withChatRead } from '@balcao/contract/chat.rules.ts'
import { type ChatMessage, chatMessageChannel, chatRoomChannel } from '@balcao/contract/chat.ts'
import { listen } from '../../platform/live.ts'
import { askAgain, patchByPush, queryClient } from '../../platform/query.ts'
import { CHAT_ROOMS, pushChatMessage } from './chat.api.ts'

/** Keeps rooms and messages as the server has them; `onWritten`: a colleague wrote. */
export function followChat(viewerId: number, onWritten: (message: ChatMessage) => void): () => void {
  const stops = [
    listen(chatMessageChannel, push => {
      const { action, message } = push
      pushChatMessage(message)
      patchByPush<LoadedRooms>(CHAT_ROOMS, loaded => {
        const now = withChatMessage(loaded, push, viewerId)
        if (!now) void askAgain({ queryKey: CHAT_ROOMS })
        return now ?? loaded
      })
      if (action === 'create' && message.from.id !== viewerId) onWritten(message)
    }),
    listen(chatRoomChannel, ({ roomId, unread, isGone }) => {
      if (isGone) queryClient.removeQueries({ queryKey: ['chat', 'messages', roomId] })
      if (unread === undefined) void askAgain({ queryKey: CHAT_ROOMS })
      else patchByPush<LoadedRooms>(CHAT_ROOMS, loaded => withChatRead(loaded, roomId, unread))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
