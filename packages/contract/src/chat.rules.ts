import type { ChatMessage, ChatRoom } from './chat.ts'

export interface LoadedRooms {
  rooms: ChatRoom[]
  unread: number
  hasMore: boolean
}

/**
 * The rooms after a message was written or changed, as a fetch would answer them; null where they have to be fetched, since
 * the room is not among them.
 */
export function withChatMessage(
  loaded: LoadedRooms,
  { action, message }: { action: 'create' | 'update'; message: ChatMessage },
  viewerId: number,
): LoadedRooms | null {
  const room = loaded.rooms.find(({ id }) => id === message.roomId)
  if (!room) return null
  const last = room.lastMessage?.position ?? 0
  if (action === 'update')
    return last === message.position ? replaced(loaded, { ...room, lastMessage: message }, 0) : loaded
  if (last >= message.position) return loaded
  // whoever writes has read what is there
  const unread = message.from.id === viewerId ? 0 : room.unread + 1
  const now = { ...room, lastMessage: message, unread }
  const made = replaced(loaded, now, unread - room.unread)
  return { ...made, rooms: [now, ...made.rooms.filter(({ id }) => id !== room.id)] }
}

/** The rooms after the viewer has read one of them, here or elsewhere. */
export function withChatRead(loaded: LoadedRooms, roomId: number, unread: number): LoadedRooms {
  const room = loaded.rooms.find(({ id }) => id === roomId)
  return room ? replaced(loaded, { ...room, unread }, unread - room.unread) : loaded
}

const replaced = (loaded: LoadedRooms, now: ChatRoom, more: number): LoadedRooms => ({
  ...loaded,
  unread: Math.max(0, loaded.unread + more),
  rooms: loaded.rooms.map(room => (room.id === now.id ? now : room)),
})

/** Messages of a room in their order, each once, with these among them. */
export function withMessages(known: ChatMessage[], given: ChatMessage[]): ChatMessage[] {
  const all = new Map(known.map(message => [message.id, message]))
  for (const message of given) all.set(message.id, message)
  return [...all.values()].sort((a, b) => a.position - b.position)
}
