import { isDeepStrictEqual } from 'node:util'
import { EventData, MOST_ANSWERS, PollData } from '@balcao/contract/kinds.ts'
import type { GivenAnswer, InboundEvent, PastState } from '../../../driver.ts'
import { authorOf, reactorOf } from './inbound.rules.ts'

type InboundAnswer = Extract<InboundEvent, { kind: 'answer' }>

/** Reactions that an old message has got, as its row keeps them. */
export const reactionsOf = (past: PastState | undefined) =>
  (past?.reactions ?? []).map(one => ({
    by: reactorOf(one),
    emoji: one.emoji,
    name: one.author ? authorOf(one.author).name : one.name,
    at: one.at,
  }))

/** The data of a poll or an event with an answer; null where that changes nothing. */
export function withAnswer(
  { mediaType, dataJson }: { mediaType: string | null; dataJson: string | null },
  event: Pick<InboundAnswer, 'author' | 'fromMe' | 'name' | 'answer' | 'at'>,
): object | null {
  const known: unknown = JSON.parse(dataJson ?? 'null')
  const { answer, at } = event
  const name = event.author ? authorOf(event.author).name : event.name
  const who = { by: reactorOf(event), name, at }
  if (mediaType === 'poll' && answer.to === 'poll') return withVote(known, who, answer)
  return mediaType === 'event' && answer.to === 'event' ? withReply(known, who, answer) : null
}

interface Who {
  by: string
  name: string
  at: string
}

function withVote(known: unknown, who: Who, { choices }: Extract<GivenAnswer, { to: 'poll' }>) {
  const { data: poll } = PollData.safeParse(known)
  if (!poll) return null
  const isThere = (choice: number) => choice < poll.choices.length
  const votes = latest(poll.votes, { ...who, choices: choices.filter(isThere) })
  return votes && { ...poll, votes }
}

function withReply(known: unknown, who: Who, { reply, guests }: Extract<GivenAnswer, { to: 'event' }>) {
  const { data: event } = EventData.safeParse(known)
  const replies = event && latest(event.replies, { ...who, reply, guests })
  return replies ? { ...event, replies } : null
}

/**
 * The answers with this one instead of the person's previous; null when that is newer or the same, or there are as many as may
 * be. Times of replies are whole seconds: within one the order of arrival counts.
 */
function latest<One extends Who>(answers: One[], answer: One): One[] | null {
  const others = answers.filter(({ by }) => by !== answer.by)
  const previous = answers.find(({ by }) => by === answer.by)
  const isLate = previous && (previous.at > answer.at || isDeepStrictEqual(previous, answer))
  return isLate || others.length >= MOST_ANSWERS ? null : [...others, answer]
}
