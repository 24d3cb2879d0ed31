import type { CallData } from '@balcao/contract/media.ts'
import { proto, type WAMessage } from 'baileys'
import type { Chat, GivenAnswer, InboundEvent, OldMessage, PastState, Silence } from '../../../driver.ts'
import { databaseNow, LAST_MS } from '../../../platform/clock.ts'
import { chatOf } from './addresses.ts'
import { choicesOfVote, hashesOf, pollContentOf } from './answers.ts'
import { unwrapped } from './content.ts'
import { isSamePerson } from './context.ts'
import { copiesOf, eventInList } from './own-lists.ts'
import { replyIn } from './sealed-answers.ts'
import { attempt, countFrom, lineFrom } from './text.ts'
import { editedMessageOf, inboundFrom, sayingOf, silenceOf } from './translate.ts'

const MAX_EMOJI = 40
/** Of reactions and answers each: a group has no more members. */
const MOST = 1_024
const isAmong = (_: unknown, at: number) => at < MOST
const { Status } = proto.WebMessageInfo
/** What a history says about whom a chat is with: as the company's own phone calls them, and what they are found by. */
interface PastChat {
  name: string
  username: string
}

/** What a part of a history brings: old messages, and why others are none. `chats`: by their address. */
export function pastOfChunk(
  messages: WAMessage[],
  chats: Map<string, PastChat>,
  own: Chat | null,
): { old: { message: WAMessage; event: OldMessage }[]; silences: Silence[] } {
  const old: { message: WAMessage; event: OldMessage }[] = []
  const silences: Silence[] = []
  for (const message of messages) {
    const copies = copiesOf(message, NOBODY)
    if (copies) {
      const events = copies.flatMap(copy => listedIn(copy, message) ?? [])
      old.push(...events.map(event => ({ message, event })))
      if (events.length === 0) silences.push(silenceOf(message))
      continue
    }
    // one that cannot be read does not hold up the others of its part
    const one = attempt(() => pastMessageOf(message)) ?? 'without a content'
    if (typeof one === 'string') silences.push(one)
    else if (one.fromMe && own && isSamePerson(own, one.chat)) silences.push('private to the owner')
    else old.push({ message, event: named(one, chats.get(message.key.remoteJid ?? '')) })
  }
  return { old, silences }
}

/** A history says itself what is the company's. */
const NOBODY = { id: '', lid: '' }

/** The copy of a message to a list of recipients, in the chat of one. */
function listedIn(copy: WAMessage, message: WAMessage): OldMessage | null {
  const one = attempt(() => pastMessageOf(copy))
  const event = typeof one === 'string' ? null : eventInList(one, message)
  return event?.kind === 'message' ? event : null
}

/** As the company's own phone calls them, else as they call themselves. */
const named = (old: OldMessage, { name, username }: PastChat = { name: '', username: '' }): OldMessage => ({
  ...old,
  ...(username && { chat: { ...old.chat, username } }),
  name: old.fromMe && old.chat.kind !== 'group' ? '' : name || old.name,
  ...(old.past && { past: pastNamed(old.past, old.chat.kind === 'group' ? '' : name) }),
})

/** In a chat of two who reacted or answered is called by the name of the chat. */
function pastNamed(past: PastState, name: string): PastState {
  const called = <One extends { fromMe: boolean; name: string }>(one: One): One =>
    one.fromMe || one.name ? one : { ...one, name }
  return { ...past, reactions: past.reactions.map(called), answers: past.answers.map(called) }
}

/** An old message with what has happened to it since; else why it is none. */
function pastMessageOf(message: WAMessage): OldMessage | Silence {
  const call = callOf(message)
  if (call) return call
  const event = inboundFrom(message)
  if (event?.kind === 'message') return { ...event, past: pastOf(message) }
  const edited = event?.kind === 'edit' ? editedMessageOf(message) : null
  if (edited) {
    const editedMs = unwrapped(message.message)?.protocolMessage?.timestampMs
    return { ...edited, past: { ...pastOf(message), editedAt: editedMs ? timeOfMs(editedMs) : edited.at } }
  }
  return event ? 'about another message' : silenceOf(message)
}

/** A call: only those that ring now are reported by stanzas. */
function callOf(message: WAMessage): OldMessage | null {
  const { callOutcome, durationSecs, isVideo } = unwrapped(message.message)?.callLogMesssage ?? {}
  const saying = callOutcome === undefined ? null : sayingOf(message)
  if (!saying?.externalId) return null
  const { author, ...where } = saying
  const seconds = countFrom(durationSecs, MAX_SECONDS) || null
  const isTaken = TAKEN.includes(callOutcome ?? -1)
  const data: CallData = { isVideo: isVideo === true, outcome: isTaken ? 'taken' : 'missed', seconds }
  const call = { body: '', mediaType: 'call_log', data, past: pastOf(message) }
  return { kind: 'message', ...where, ...(author && { author }), ...call }
}

const { CallOutcome } = proto.Message.CallLogMessage
const TAKEN: number[] = [CallOutcome.CONNECTED, CallOutcome.ACCEPTED_ELSEWHERE, CallOutcome.ONGOING]
const MAX_SECONDS = 100 * 3_600

function pastOf(message: WAMessage): PastState {
  const { status, key } = message
  const ack = key.fromMe && status ? Math.max(Status.SERVER_ACK, status) : Status.SERVER_ACK
  return { ack, reactions: reactionsOn(message), answers: answersTo(message) }
}

function reactionsOn({ reactions, key: { remoteJid } }: WAMessage): PastState['reactions'] {
  return (reactions ?? []).filter(isAmong).flatMap(({ key, text, senderTimestampMs }) => {
    const emoji = lineFrom(text, MAX_EMOJI)
    return emoji ? [{ ...personOf(key, remoteJid), emoji, at: timeOfMs(senderTimestampMs) }] : []
  })
}

function answersTo({
  pollUpdates,
  eventResponses,
  message,
  key: { remoteJid },
}: WAMessage): PastState['answers'] {
  const poll = pollContentOf(unwrapped(message))
  const hashes = poll ? hashesOf(poll) : []
  const votes = (pollUpdates ?? []).filter(isAmong).map(({ pollUpdateMessageKey: key, vote, ...times }) => ({
    ...personOf(key, remoteJid),
    answer: { to: 'poll', choices: choicesOfVote(vote, hashes) } satisfies GivenAnswer,
    at: timeOfMs(times.senderTimestampMs),
  }))
  const replies = (eventResponses ?? [])
    .filter(isAmong)
    .flatMap(({ eventResponseMessage: reply, ...about }) => {
      const answer = reply && replyIn(reply)
      const who = personOf(about.eventResponseMessageKey, remoteJid)
      return answer ? [{ ...who, answer, at: timeOfMs(about.timestampMs) }] : []
    })
  return [...votes, ...replies]
}

type Person = Pick<Extract<InboundEvent, { kind: 'reaction' }>, 'author' | 'fromMe' | 'name'>

function personOf(key: proto.IMessageKey | null | undefined, remoteJid: string | null | undefined): Person {
  const isGroup = chatOf(remoteJid)?.kind === 'group'
  const author: Chat | null = isGroup && !key?.fromMe ? chatOf(key?.participant) : null
  return { fromMe: key?.fromMe === true, name: '', ...(author && { author: { ...author, name: '' } }) }
}

const timeOfMs = (ms: proto.IReaction['senderTimestampMs']) =>
  new Date(countFrom(ms, LAST_MS) || databaseNow()).toISOString()
