import type { CallData } from '@balcao/contract/media.ts'
import { proto, type WAMessage } from 'baileys'
import type { Chat, GivenAnswer, InboundEvent, OldMessage, Past, Silence } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { chatOf } from './addresses.ts'
import { chosenIn, hashesOf, pollIn } from './choice-hashes.ts'
import { unwrapped } from './content.ts'
import { replyIn } from './sealed-answers.ts'
import { countFrom, lineFrom } from './text.ts'
import { editedMessageOf, inboundFrom, sayingOf, silenceOf } from './translate.ts'

const MAX_EMOJI = 40
/** Of reactions and answers each: a group has no more members. */
const MOST = 1_024
const { Status } = proto.WebMessageInfo
/** Until the year 9999: what is later is no time. */
const LAST_MS = 253_402_300_799_999

/** An old message with what has happened to it since; else why it is none. */
export function oldMessageOf(message: WAMessage): OldMessage | Silence {
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

function pastOf(message: WAMessage): Past {
  const { status, key } = message
  const ack = key.fromMe && status ? Math.max(Status.SERVER_ACK, status) : Status.SERVER_ACK
  return { ack, reactions: reactionsOn(message), answers: answersTo(message) }
}

function reactionsOn({ reactions, key: { remoteJid } }: WAMessage): Past['reactions'] {
  return (reactions ?? []).slice(0, MOST).flatMap(({ key, text, senderTimestampMs }) => {
    const emoji = lineFrom(text, MAX_EMOJI)
    return emoji ? [{ ...personOf(key, remoteJid), emoji, at: timeOfMs(senderTimestampMs) }] : []
  })
}

function answersTo({ pollUpdates, eventResponses, message, key: { remoteJid } }: WAMessage): Past['answers'] {
  const poll = pollIn(unwrapped(message))
  const hashes = poll ? hashesOf(poll) : []
  const votes = (pollUpdates ?? []).slice(0, MOST).map(({ pollUpdateMessageKey: key, vote, ...times }) => ({
    ...personOf(key, remoteJid),
    answer: { to: 'poll', choices: chosenIn(vote, hashes) } satisfies GivenAnswer,
    at: timeOfMs(times.senderTimestampMs),
  }))
  const replies = (eventResponses ?? [])
    .slice(0, MOST)
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
