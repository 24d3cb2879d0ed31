import { isDeepStrictEqual } from 'node:util'
import { EventData, MOST_ANSWERS, PollData } from '@balcao/contract/kinds.ts'
import type { GivenAnswer, InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { saveMessage } from '../messages.actions.ts'
import type { MessageRow } from '../messages.queries.ts'
import { authorOf, reactorOf } from './inbound.rules.ts'
import { lockTarget } from './targets.actions.ts'

type InboundAnswer = Extract<InboundEvent, { kind: 'answer' }>

/**
 * A vote in a poll or a reply to an event, one of each person; the newest counts, whenever it arrives. One to a message that
 * is not here, or was deleted, changes nothing. Answers the ticket.
 */
export async function receiveAnswer(
  tx: Tx,
  whatsappId: number,
  event: InboundAnswer,
): Promise<number | null> {
  const target = await lockTarget(tx, whatsappId, event)
  if (!target) return null
  const data = withAnswer(target, event)
  if (data) await saveMessage(tx, target, { dataJson: JSON.stringify(data) })
  return target.ticketId
}

function withAnswer({ mediaType, dataJson }: MessageRow, event: InboundAnswer): object | null {
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
