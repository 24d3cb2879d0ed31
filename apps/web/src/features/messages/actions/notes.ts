import type { Message } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { call } from '../../../platform/call.ts'
import { put } from '../messages.api.ts'
import { removedHere } from './operations.ts'

const params = ({ id: messageId }: Message) => ({ messageId })

/** Changes the text of an own note, and whom it mentions by name. Throws ApiError. */
export const editNote = async (
  message: Message,
  body: string,
  named: { mentions: number[]; queueMentions: number[] },
) => put(await call(privateNotes.edit, { params: params(message), body: { body, ...named } }))

/** Deletes an own note; its place stays. Throws ApiError. */
export async function removeNote(message: Message): Promise<void> {
  removedHere.add(message.id)
  put(await call(privateNotes.remove, { params: params(message) }))
}
