import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfChat: Carried[] = [
  carried('chat_rooms', { refers: { low_id: 'users', high_id: 'users' } }),
  carried('chat_messages', { refers: { user_id: 'users', ticket_id: 'tickets' }, plain: ['medias'] }),
]
