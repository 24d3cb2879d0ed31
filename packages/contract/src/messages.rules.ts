import type { Message, MessagePush } from './messages.ts'

export const FAILED = 0
export const WAITING = 1
export const SENT = 2
export const DELIVERED = 3
export const READ = 4
export const PLAYED = 5

/** Why a message failed of which nobody can say whether it left: any later word of the network counts. */
export const UNKNOWN_OUTCOME = 'ERR_WAPP_UNKNOWN_OUTCOME'

/**
 * An ack only rises; a failure counts only while nothing better than "sent" is known, and "sent" may come behind the
 * failure that followed it.
 */
export function nextAck(known: number, heard: number, failReason = ''): number {
  if (heard === FAILED) return known < DELIVERED ? FAILED : known
  if (known === FAILED && heard < DELIVERED && failReason !== UNKNOWN_OUTCOME) return FAILED
  return Math.max(known, heard)
}

type Placed = Pick<Message, 'position' | 'id'>

/** In the order they came in. Imported ones stand behind the message they follow, and there in the order of their ids. */
export const oldestFirst = (a: Placed, b: Placed) => a.position - b.position || (a.id < b.id ? -1 : 1)

/** What one push makes of the messages on the screen. The result equals the page fetched again. */
export function applyMessagePush(
  loaded: Message[],
  push: MessagePush,
  shows: (message: Message) => boolean,
): Message[] {
  if (push.action === 'delete') return loaded.filter(message => message.id !== push.messageId)
  const { message } = push
  const known = loaded.find(other => other.id === message.id)
  if (known) {
    if (known.version > message.version) return loaded
    const changed = loaded.map(other => (other === known ? message : other))
    // one that was on this screen before the server had it is placed now
    return known.position === message.position ? changed : changed.sort(oldestFirst)
  }
  return push.action === 'create' && shows(message) ? [...loaded, message].sort(oldestFirst) : loaded
}

/** A text as an attendant signs it: his name in bold on a line of its own before the words. Empty stays empty. */
export const sign = (name: string, body: string): string => (body ? `*${name}:*\n${body}` : body)

/** The line of a signed text that names its author; '' when it is not signed. */
export const signatureOf = (body: string): string => /^\*[^\n]+:\*\n/.exec(body)?.[0] ?? ''
