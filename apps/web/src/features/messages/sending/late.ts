import { messages } from '@balcao/contract/messages.ts'
import { call } from '../../../platform/call.ts'
import { answersSince } from '../composer/meanwhile.ts'
import type { Waiting } from '../messages.waiting.ts'

/** Whether somebody else answered while this message waited for the connection. Notes ask for nobody. Throws ApiError. */
export async function isAnswered({ ticketId, owner, since, words }: Waiting): Promise<boolean> {
  if (!since || words.isPrivate) return false
  // only looked at: the user has not read it
  const page = await call(messages.list, { params: { ticketId }, query: { ahead: true } })
  return answersSince(page.messages, since, Number(owner.split('.')[1])).length > 0
}
