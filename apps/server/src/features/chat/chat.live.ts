import { chatMessageChannel, chatRoomChannel } from '@balcao/contract/chat.ts'
import { oneUser, publish } from '../../platform/live/live.ts'
import { chatMessageChanged, chatRoomChanged } from './chat.events.ts'

const rooms = (companyId: number, userIds: number[]) => userIds.map(id => oneUser(companyId, id))

export const live = [
  publish(chatMessageChanged, (companyId, { action, message, userIds }, push) =>
    push(chatMessageChannel, rooms(companyId, userIds), { ...message, action, message }),
  ),
  publish(chatRoomChanged, (companyId, { userIds, ...change }, push) =>
    push(chatRoomChannel, rooms(companyId, userIds), change),
  ),
]
