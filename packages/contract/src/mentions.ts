import { z } from 'zod'
import { channel, flag, idList, instant, pageNumber, route } from './kit.ts'

/** More unread ones are counted as so many. */
export const MAX_UNREAD_MENTIONS = 100

/** A colleague mentioned the reader in a note. */
export const NoteMention = z.object({
  id: z.int(),
  ticketId: z.int(),
  ticketUuid: z.uuid(),
  /** The note. */
  messageId: z.uuid(),
  /** Null when the author was deleted. */
  from: z.object({ id: z.int(), name: z.string() }).nullable(),
  contact: z.object({ id: z.int(), name: z.string() }),
  body: z.string(),
  createdAt: instant,
  /** Null while it is not read. */
  readAt: instant.nullable(),
})
export type NoteMention = z.infer<typeof NoteMention>

export const mentions = {
  list: route('GET', '/mentions', {
    needs: 'session',
    summary:
      'Notes in which the caller is mentioned, newest first, as far as their tickets may be read now; `unread` counts to 100.',
    query: z.object({ pageNumber: pageNumber.optional(), onlyUnread: flag.optional() }),
    reply: z.object({ mentions: z.array(NoteMention), unread: z.int(), hasMore: z.boolean() }),
  }),
  read: route('PUT', '/mentions/read', {
    needs: 'session',
    summary: 'Marks the caller’s own mentions `ids` as read, or all of them without `ids`.',
    body: z.object({ ids: idList.optional() }),
    reply: z.object({ unread: z.int() }),
  }),
}

/** Only to the screens of the mentioned user. */
export const mentionChannel = channel(
  'mention-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('create'), mention: NoteMention }),
    /** Read, changed or gone: the list is fetched again. */
    z.object({ action: z.literal('update') }),
  ]),
)
export type MentionPush = z.infer<typeof mentionChannel.payload>
