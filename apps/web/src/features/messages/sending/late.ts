import { FAILED } from '@balcao/contract/messages.rules.ts'
import { messages } from '@balcao/contract/messages.ts'
import { call } from '../../../platform/call.ts'
import { ANSWERED, answersSince } from '../messages.answers.ts'
import { put } from '../messages.api.ts'
import { keepWaiting, type Waiting } from '../messages.waiting.ts'

/** Holds a message back where somebody else answered while it waited for the connection. Throws ApiError. */
export async function isHeldBack(waiting: Waiting): Promise<boolean> {
  if (!(await isAnswered(waiting))) return false
  const message = { ...waiting.message, ack: FAILED, failReason: ANSWERED }
  keepWaiting({ ...waiting, message })
  put(message)
  return true
}

async function isAnswered({ ticketId, owner, since, words }: Waiting): Promise<boolean> {
  // a note answers no customer
  if (!since || words.isPrivate) return false
  // only looked at: the user has not read it
  const page = await call(messages.list, { params: { ticketId }, query: { ahead: true } })
  return answersSince(page.messages, since, Number(owner.split('.')[1])).length > 0
}
