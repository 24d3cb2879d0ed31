import { z } from 'zod'
import { id, route } from './kit.ts'
import { MAX_MENTIONS, writtenBody } from './messages.input.ts'
import { Message } from './messages.ts'

const messageId = z.object({ messageId: z.uuid() })

/** Notes of the company between the messages of a ticket. `messages.send` with `isPrivate` writes one. */
export const privateNotes = {
  edit: route('PUT', '/messages/:messageId/private', {
    needs: 'session',
    summary:
      'Changes the text of one of the own notes; the former text is kept. Without `mentions` and `queueMentions` those stay. ERR_FETCH_WAPP_MSG when there is no such note, ERR_NO_PERMISSION for a colleague’s, ERR_MENTION_NOT_ALLOWED as where it was written.',
    params: messageId,
    body: z.object({
      body: z.string({ error: 'Required' }).pipe(writtenBody),
      mentions: z.array(id).max(MAX_MENTIONS).optional(),
      queueMentions: z.array(id).max(MAX_MENTIONS).optional(),
    }),
    reply: Message,
  }),
  remove: route('DELETE', '/messages/:messageId/private', {
    needs: 'session',
    summary:
      'Deletes one of the own notes: its place stays, marked as deleted, and admins see by whom. ERR_FETCH_WAPP_MSG when there is no such note, ERR_NO_PERMISSION for a colleague’s.',
    params: messageId,
    reply: Message,
  }),
}
