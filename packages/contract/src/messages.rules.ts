import type { Message, MessagePush } from './messages.ts'

export const FAILED = 0
export const WAITING = 1
export const SENT = 2
export const DELIVERED = 3
export const READ = 4
export const PLAYED = 5

/** An ack only rises; a failure counts only while nothing better than "sent" is known. */
export function nextAck(known: number, heard: number): number {
  if (heard === FAILED) return known < DELIVERED ? FAILED : known
  return Math.max(known, heard)
}

/** Oldest first; two of the same millisecond keep the order of their ids, which are made in time order. */
export const oldestFirst = (a: Pick<Message, 'createdAt' | 'id'>, b: Pick<Message, 'createdAt' | 'id'>) =>
  a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1

/** What one push makes of the messages on the screen. The result equals the page fetched again. */
export function applyMessagePush(
  loaded: Message[],
  push: MessagePush,
  shows: (message: Message) => boolean,
): Message[] {
  if (push.action === 'delete') return loaded.filter(message => message.id !== push.messageId)
  const { message } = push
  if (loaded.some(other => other.id === message.id))
    return loaded.map(other =>
      other.id === message.id && other.version <= message.version ? message : other,
    )
  return push.action === 'create' && shows(message) ? [...loaded, message].sort(oldestFirst) : loaded
}
