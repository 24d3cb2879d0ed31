import type { InboundEvent } from '../../../driver.ts'
import type { Tx } from '../../../platform/scope.ts'
import { saveMessage } from '../messages.actions.ts'
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
  if (data) await saveMessage(tx, target, { dataJson: JSON.stringify(data) })
  return target.ticketId
}
