import { pollChoices, writtenPoll } from '@balcao/contract/polls.rules.ts'
import type { OutgoingContent } from '../../driver.content.ts'
import type { InboundEvent, Outgoing } from '../../driver.ts'

type Poll = Extract<OutgoingContent, { kind: 'poll' }>

/** What opens the list on the customer's phone. */
const OPENS = 'Ver opções'
const VOTE = 'poll:'

/** The official API has no polls: options to tap, whose taps are votes, or a text. */
export function pollAsOffered(
  { body, externalId }: Outgoing,
  poll: Poll,
): { body: string; choices?: Extract<OutgoingContent, { kind: 'choices' }> } {
  const choices = pollChoices(poll, OPENS)
  if (!choices) return { body: writtenPoll(body, poll.options) }
  const tapIds = poll.options.map((_, at) => `${VOTE}${externalId}:${at}`)
  return { body, choices: { kind: 'choices', choices, tapIds } }
}

/** The vote that a tap is, beside the message that it is too; none for any other message. */
export function votesIn(message: Extract<InboundEvent, { kind: 'message' }>): InboundEvent[] {
  const { chat, name, at, externalId, tapId = '' } = message
  const [, of, choice] = /^poll:([\w.=-]{1,200}):(\d{1,2})$/.exec(tapId) ?? []
  if (!of) return []
  const target = { externalId: of, fromMe: true }
  const answer = { to: 'poll' as const, choices: [Number(choice)] }
  return [{ kind: 'answer', chat, externalId, fromMe: false, name, target, answer, at }]
}
