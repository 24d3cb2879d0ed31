import type { Message } from '@balcao/contract/messages.ts'
import { threadNow } from './messages.api.ts'

/** Why a message is held back: somebody answered while it waited. Its author decides. */
export const ANSWERED = 'answered'

/** Those that a person of the company wrote to the customer behind this position, on another screen than the user's. */
export const answersSince = (messages: Message[], since: number, viewerId: number): Message[] =>
  messages.filter(
    ({ fromMe, isPrivate, position, source, user, dueAt, isDeleted }) =>
      fromMe &&
      !isPrivate &&
      position > since &&
      !dueAt &&
      !isDeleted &&
      (source === 'phone' || (source === 'person' && user?.id !== viewerId)),
  )

/** Of the newest message that the server has and this screen knows; 0 where it knows none. */
export const newestPosition = (ticketId: number): number =>
  threadNow(ticketId)?.messages.findLast(({ version }) => version > 0)?.position ?? 0
