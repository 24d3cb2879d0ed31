import { PollData } from '@balcao/contract/kinds.ts'
import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { saveMessage } from '../messages.actions.ts'
import { botPollAnswered } from '../messages.events.ts'
import type { MessageRow } from '../messages.queries.ts'
import { withAnswers } from './answers.rules.ts'
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
  const data = withAnswers(target, [event])
  if (!data) return target.ticketId
  await saveMessage(tx, target, { dataJson: JSON.stringify(data) })
  if (target.fromMe && target.source === 'bot') await reportToBot(tx, target, event, data)
  return target.ticketId
}

async function reportToBot(tx: Tx, { id, ticketId }: MessageRow, event: InboundAnswer, data: object) {
  const { answer, at } = event
  const choice = answer.to === 'poll' && !event.fromMe && !event.author ? answer.choices[0] : undefined
  const { choices, tapIds } = PollData.parse(data)
  const tapId = choice === undefined ? undefined : tapIds?.[choice]
  if (tapId)
    await tx.involve(botPollAnswered, { ticketId, messageId: id, tapId, choice: choices[choice!]!, at })
}
