import { type Message, messages } from '@balcao/contract/messages.ts'
import { call } from '../../../platform/call.ts'
import { isShown, put } from '../messages.api.ts'

const params = ({ id: messageId }: Message) => ({ messageId })

/** WhatsApp takes changes of a text for this long. */
const EDIT_MS = 15 * 60_000

export const mayEdit = (message: Message, now = Date.now()) =>
  message.fromMe &&
  !message.isDeleted &&
  message.ack > 1 &&
  message.body !== '' &&
  (message.mediaType === null || message.mediaType === 'image' || message.mediaType === 'video') &&
  now - Date.parse(message.createdAt) < EDIT_MS

/**
 * Deletes one of the own messages for everyone; it is marked once the network agreed, and one that never left goes.
 * Throws ApiError.
 */
export async function removeMessage(message: Message, channel: string): Promise<void> {
  removedHere.add(message.id)
  const left = await call(messages.remove, { params: { ...params(message), channel } })
  // what is gone already must not come back with its own answer
  if (isShown(message)) put(left)
}

/** What was deleted on this screen need not be told to whoever did it. */
export const removedHere = new Set<string>()

/** Changes the text of one of the own messages. Throws ApiError, also when it is too late. */
export const editMessage = async (message: Message, body: string) =>
  put(await call(messages.edit, { params: params(message), body: { body } }))

/** Puts the company's reaction on a message; the same one again takes it off. Throws ApiError. */
export async function react(message: Message, chosen: string): Promise<void> {
  const mine = message.reactions.find(reaction => reaction.fromMe)?.emoji
  const emoji = mine === chosen ? '' : chosen
  put(await call(messages.react, { params: params(message), body: { emoji } }))
}
