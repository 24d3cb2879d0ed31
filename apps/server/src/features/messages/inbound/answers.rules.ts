import { isDeepStrictEqual } from 'node:util'
import { EventData, MOST_ANSWERS, PollData } from '@balcao/contract/kinds.ts'
import type { InboundEvent, PastState } from '../../../driver.ts'
import { authorOf, reactorsOf } from './inbound.rules.ts'

type InboundAnswer = Extract<InboundEvent, { kind: 'answer' }>

/** Reactions that an old message has got, as its row keeps them. */
export const reactionsOf = (past: PastState | undefined) =>
  (past?.reactions ?? []).map(one => ({
    by: reactorsOf(one)[0],
    emoji: one.emoji,
    name: one.author ? authorOf(one.author).name : one.name,
    at: one.at,
  }))

type Given = Pick<InboundAnswer, 'author' | 'fromMe' | 'name' | 'answer' | 'at'>

/** The data of a poll or an event with answers, in the order in which they came; null where they change nothing. */
export function withAnswers(
  { mediaType, dataJson }: { mediaType: string | null; dataJson: string | null },
  events: Given[],
): object | null {
  const known: unknown = JSON.parse(dataJson ?? 'null')
  const poll = mediaType === 'poll' ? PollData.safeParse(known).data : undefined
  if (poll) {
    const isThere = (choice: number) => choice < poll.choices.length
    const votes = newest(poll.votes, events, ({ answer }, who) =>
      answer.to === 'poll' ? { ...who, choices: answer.choices.filter(isThere) } : null,
    )
    return votes && { ...poll, votes }
  }
  const event = mediaType === 'event' ? EventData.safeParse(known).data : undefined
  if (!event) return null
  const replies = newest(event.replies, events, ({ answer }, who) =>
    answer.to === 'event' ? { ...who, reply: answer.reply, guests: answer.guests } : null,
  )
  return replies && { ...event, replies }
}

interface Who {
  by: string
  name: string
  at: string
}

/**
 * The newest answer of each person; null where that is what was known. At most as many as may be. Times of replies are whole
 * seconds: within one the order of arrival counts.
 */
function newest<One extends Who>(
  known: One[],
  events: Given[],
  answerOf: (event: Given, who: Who) => One | null,
): One[] | null {
  const answers = new Map(known.map(one => [one.by, one]))
  let isChanged = false
  for (const event of events) {
    const names = reactorsOf(event)
    const name = event.author ? authorOf(event.author).name : event.name
    const answer = answerOf(event, { by: names[0], name, at: event.at })
    const before = names.find(one => answers.has(one))
    const previous = before === undefined ? undefined : answers.get(before)
    const isLate = previous && answer && (previous.at > answer.at || isDeepStrictEqual(previous, answer))
    if (!answer || isLate || (!previous && answers.size >= MOST_ANSWERS)) continue
    for (const one of names) answers.delete(one)
    answers.set(answer.by, answer)
    isChanged = true
  }
  return isChanged ? [...answers.values()] : null
}
