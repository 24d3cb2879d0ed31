import type { PushKind } from '@balcao/contract/push.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { type Emitted, payloadOf } from '../../platform/events.ts'
import { mentioned } from '../mentions/mentions.events.ts'
import { messageCreated } from '../messages/messages.events.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'

/** What devices notify of, each once by its cause: those of one user, or of the members of a queue (null: of none). */
export interface Notification {
  kind: Exclude<PushKind, 'test'>
  cause: string
  ticketId: number
  messageId: string | null
  userId: number | null
  queueId: number | null
}

/** A message that was written longer ago (ms), as one that the phone brings after a pause, notifies no device. */
const RECENT_MS = 3_600_000

/** The notifications of a transaction's events, in their order. */
export const pushesOf = (emitted: Emitted[], now: number): Notification[] =>
  emitted.flatMap(one => ofMessage(one, now) ?? ofMention(one) ?? ofMove(one) ?? [])

/** A line of the chat, such as a new subject, is no message; while a bot leads, no user is awaited. */
function ofMessage(emitted: Emitted, now: number): Notification | null {
  const created = payloadOf(messageCreated, emitted)
  if (!created) return null
  const { message, ticket } = created
  if (message.fromMe || message.mediaType === 'chat_event') return null
  if (Date.parse(message.createdAt) < now - RECENT_MS) return null
  return placed(ticket, `message ${message.id}`, message.id)
}

function ofMention(emitted: Emitted): Notification | null {
  const found = payloadOf(mentioned, emitted)
  return (
    found && {
      ...{ kind: 'mention', cause: `mention ${found.mention.id}`, ticketId: found.mention.ticketId },
      ...{ messageId: found.mention.messageId, userId: found.userId, queueId: null },
    }
  )
}

/** Another user, or a rule, gave a ticket to a user, or to a queue in which its customer waits. A new ticket comes with its message. */
function ofMove(emitted: Emitted): Notification | null {
  const moved = payloadOf(ticketChanged, emitted)
  if (!moved?.before) return null
  const { ticket, before, by } = moved
  const cause = `ticket ${ticket.id} ${ticket.version}`
  if (ticket.status === 'open')
    return ticket.userId === before.userId || ticket.userId === by?.id ? null : placed(ticket, cause, null)
  const isElsewhere = before.status !== 'pending' || before.queueId !== ticket.queueId
  return isElsewhere && ticket.waitingSince !== null ? placed(ticket, cause, null) : null
}

function placed(ticket: Ticket, cause: string, messageId: string | null): Notification | null {
  const to = { cause, ticketId: ticket.id, messageId }
  if (ticket.withBot) return null
  if (ticket.status === 'open' && ticket.userId !== null)
    return { ...to, kind: 'mine', userId: ticket.userId, queueId: null }
  return ticket.status === 'pending' ? { ...to, kind: 'queue', userId: null, queueId: ticket.queueId } : null
}

const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Browser and system of a `User-Agent`; empty where it names neither. */
export const deviceNamed = (userAgent: string): string =>
  [BROWSERS, SYSTEMS].flatMap(names => names.find(([name]) => name.test(userAgent))?.[1] ?? []).join(' · ')
