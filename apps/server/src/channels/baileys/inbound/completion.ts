import { orderWords } from '@balcao/contract/kinds.rules.ts'
import type { OrderData } from '@balcao/contract/media.ts'
import type { WAMessage, WASocket } from 'baileys'
import type { Chat, InboundEvent, Mention, QuotedCopy, SessionHost, Target } from '../../../driver.ts'
import type { Owner } from '../keys/journal.ts'
import { withinMs } from '../session/time-limit.ts'
import { chatOf, completeChat } from './addresses.ts'
import type { Deletion } from './changes.ts'
import { learnTimer } from './chat-timers.ts'
import { unwrapped } from './content.ts'
import { isSamePerson } from './context.ts'
import type { Groups } from './groups.ts'
import { detailedOrder } from './orders.ts'
import { createSealedAnswers } from './sealed-answers.ts'

/** An answer of the server is awaited so long: an event without it is better than one that waits. */
const ASKED_MS = 3_000

/** So often it is asked whether a deletion is an admin's: what comes after it waits, one to four seconds each time. */
const MOST_TRIES = 15

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

/** What a session knows beside its key rows; groups and orders while it has a socket. */
export interface SessionFacts {
  me(): Owner | null
  groups(): Groups | undefined
  orderDetails(): WASocket['getOrderDetails'] | undefined
}

interface Inside extends SessionFacts, Pick<SessionHost, 'keys'> {
  /** How often it was asked in vain whether the sender of a message is an admin. */
  tries: WeakMap<WAMessage, number>
}

/** Fills in what an event does not carry itself: other names of people, a group's name, items of an order, an answer. */
export interface Completion {
  /** Keeps what later messages need: secrets of polls, timers of chats. Called in order, before the message is recorded. */
  learn(message: WAMessage): Promise<void>
  /** Null for what the company does not receive, and for what is no event. */
  complete(event: InboundEvent | null, message: WAMessage | undefined): Promise<InboundEvent | null>
}

export function createCompletion(
  host: Pick<SessionHost, 'keys' | 'acceptsGroups' | 'sent'>,
  facts: SessionFacts,
): Completion {
  const { keys } = host
  const inside = { ...facts, keys, tries: new WeakMap<WAMessage, number>() }
  const answers = createSealedAnswers({ rows: keys, sent: host.sent })
  return {
    async learn(message) {
      const me = facts.me()
      if (me) await answers.keep(message, me)
      await learnTimer(keys, message)
    },
    async complete(event, message) {
      const me = facts.me()
      const found = event ?? (message && me ? await answers.open(message, me) : null)
      if (!found) return null
      const known = { ...found, chat: await completeChat(keys, found.chat) }
      // what the owner of the number writes to themselves stays with them; what others write is received: an earlier owner of
      // the number may still be known by it
      const isPrivate = 'fromMe' in known ? known.fromMe : known.kind === 'read' || known.kind === 'strange'
      if (isPrivate && isOwn(inside, known.chat)) return null
      const isGroup = known.chat.kind === 'group'
      if (isGroup && !(await host.acceptsGroups())) return null
      const whole = isGroup ? await inGroup(inside, known, message) : known
      return whole.kind === 'message' ? withOrder(inside, await withContext(inside, whole), message) : whole
    },
  }
}

async function inGroup(
  inside: Inside,
  event: InboundEvent,
  message: WAMessage | undefined,
): Promise<InboundEvent> {
  const { keys, groups } = inside
  if (event.kind === 'delete') return deletionIn(inside, event, message)
  if (event.kind === 'edit') return { ...event, target: await completeTarget(inside, event.target) }
  const { kind } = event
  if (kind !== 'message' && kind !== 'reaction' && kind !== 'answer' && kind !== 'nothing') return event
  const by = event.author && { ...(await completeChat(keys, event.author)), name: event.author.name }
  const known = { ...event, ...(by && { author: by }) }
  if (known.kind !== 'message') return known
  // Baileys compares the author of a notification with our number only, and groups name us by LID
  const fromMe = known.fromMe || isOwn(inside, known.author)
  return { ...known, fromMe, name: await inTime(groups()?.subject(event.chat.value), '') }
}

/**
 * A deletion by another than the author counts when that is an admin of the group; else it is only logged. Throws while the
 * server does not answer that, as before the socket is open: it is tried again.
 */
async function deletionIn(
  inside: Inside,
  { by, ...deletion }: Deletion,
  message: WAMessage | undefined,
): Promise<InboundEvent> {
  const target = await completeTarget(inside, deletion.target)
  if (!by) return { ...deletion, target }
  const { chat, at } = deletion
  const person = await completeChat(inside.keys, by)
  const isAdmin = await inTime(inside.groups()?.isAdmin(chat.value, person), null)
  const tries = message ? (inside.tries.get(message) ?? 0) : MOST_TRIES
  if (isAdmin === null && message && tries < MOST_TRIES) {
    inside.tries.set(message, tries + 1)
    throw new Error('the server did not answer who is an admin of the group')
  }
  if (isAdmin) {
    const { externalId, author } = target
    return { ...deletion, target: isOwn(inside, author) ? { externalId, fromMe: true } : target, isAdmin }
  }
  return {
    ...{ kind: 'strange', chat, at, body: '', externalId: `${target.externalId} ${person.value}` },
    why: `a deletion of ${target.externalId} by a member who neither wrote it nor is an admin`,
  }
}

const completeTarget = async ({ keys }: Inside, target: Target): Promise<Target> =>
  target.author ? { ...target, author: await completeChat(keys, target.author) } : target

async function withContext(inside: Inside, event: InboundMessage): Promise<InboundMessage> {
  const { quotedCopy, mentions } = event
  const complete = async (one: Mention) => ({ ...one, ...(await completeChat(inside.keys, one)) })
  return {
    ...event,
    ...(quotedCopy && { quotedCopy: await completeCopy(inside, quotedCopy, event.chat) }),
    ...(mentions && { mentions: await Promise.all(mentions.map(complete)) }),
  }
}

async function completeCopy(inside: Inside, { author, ...copy }: QuotedCopy, chat: Chat) {
  const fromMe = isOwn(inside, author)
  const by = author && chat.kind === 'group' && !fromMe ? await completeChat(inside.keys, author) : null
  return { ...copy, fromMe, ...(by && { author: by }) }
}

async function withOrder({ orderDetails }: Inside, event: InboundMessage, message: WAMessage | undefined) {
  const order = unwrapped(message?.message)?.orderMessage
  const ask = orderDetails()
  if (event.mediaType !== 'order' || !order || !ask) return event
  const known = event.data as OrderData
  const data = await inTime(detailedOrder(known, order, ask), known)
  return { ...event, data, body: orderWords(known.note ?? '', data) }
}

function isOwn({ me }: Inside, person: Chat | undefined): boolean {
  const { id = '', lid = '' } = me() ?? {}
  const own = chatOf(lid || id, lid ? id : undefined)
  return Boolean(person && own && isSamePerson(person, own))
}

/** What is asked for, or `otherwise` when it fails or takes too long. */
async function inTime<T>(asked: Promise<T> | undefined, otherwise: T): Promise<T> {
  let answer = otherwise
  const keep = async () => {
    answer = (await asked) ?? otherwise
  }
  await withinMs(ASKED_MS, keep())
  return answer
}
