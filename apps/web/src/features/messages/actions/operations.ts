import { mayRewrite } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { call } from '../../../platform/call.ts'
import { ofPerson } from '../../../platform/person.ts'
import { isShown, put } from '../messages.api.ts'

const params = ({ id: messageId }: Message) => ({ messageId })

/** WhatsApp accepts edits of a text for this long. */
const EDIT_MS = 15 * 60_000

export const mayEdit = (viewer: Viewer, message: Message, now = Date.now()) =>
  mayRewrite(viewer, { ...message, userId: message.user?.id }) &&
  !message.isDeleted &&
  message.ack > 1 &&
  message.body !== '' &&
  (message.mediaType === null || message.mediaType === 'image' || message.mediaType === 'video') &&
  (message.isPrivate || now - Date.parse(message.createdAt) < EDIT_MS)

/**
 * Deletes one of the own messages for everyone; it is marked once the network agreed, and an unsent one is
 * removed. Throws ApiError.
 */
export async function removeMessage(message: Message, channel: string): Promise<void> {
  removedHere.add(message.id)
  const left = await call(messages.remove, { params: { ...params(message), channel } })
  // a message removed meanwhile must not reappear with its own answer
  if (isShown(message)) put(left)
}

/** Messages deleted on this screen: the deletion is not reported to the user who made it. */
export const removedHere = new Set<string>()
ofPerson(() => removedHere.clear())

/** Changes the text of one of the own messages. Throws ApiError, also when it is too late. */
export const editMessage = async (message: Message, body: string, mentions: string[]) =>
  put(
    await call(messages.edit, {
      params: params(message),
      body: { body, ...(mentions.length > 0 && { mentions }) },
    }),
  )

/** Sets the company's reaction on a message; the same one again removes it. Throws ApiError. */
export async function react(message: Message, chosen: string): Promise<void> {
  const mine = message.reactions.find(reaction => reaction.fromMe)?.emoji
  const emoji = mine === chosen ? '' : chosen
  put(await call(messages.react, { params: params(message), body: { emoji } }))
}
