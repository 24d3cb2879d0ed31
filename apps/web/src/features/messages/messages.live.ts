import { FAILED } from '@balcao/contract/messages.rules.ts'
import { type Message, messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { reasonText } from '../../platform/errors.text.ts'
import { listen } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { type CachedThread, heardIn, messageNews } from './messages.cache.ts'
import { messageText } from './messages.text.ts'
import { hearTyping } from './messages.typing.ts'

/** Keeps every cached conversation as the server has it. */
export function followMessages(viewer: Viewer): () => void {
  const stops = [
    listen(messageChannel, push => {
      messageNews.keep(push)
      for (const [key, before] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] })) {
        const now = before && heardIn(before, push, viewer)
        if (push.action === 'update' && before) {
          if (push.message.isDeleted) tellDeletion(before, push.message.id)
          else tellRefusal(before, push.message)
        }
        queryClient.setQueryData<CachedThread>(key, now)
      }
      if (push.action === 'create' && !push.message.fromMe) hearTyping(push.message.ticketId, 'paused')
    }),
    listen(typingChannel, ({ ticketId, state }) => hearTyping(ticketId, state)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Words that were read and are gone: it stays until closed, once a message. */
function tellDeletion({ messages, ticket }: CachedThread, messageId: string) {
  const known = messages.find(({ id }) => id === messageId)
  if (!known || known.isDeleted) return
  notify.info(messageText.read('deletion', { name: ticket.contact.name }), {
    seconds: 'stays',
    id: `deleted ${messageId}`,
  })
}

/** A deletion, an edit or a reaction that came to nothing: the bubble looks as before, so it is said. */
function tellRefusal({ messages }: CachedThread, { id, ack, failReason }: Message) {
  const known = messages.find(one => one.id === id)
  if (!known || !failReason || known.failReason === failReason || ack === FAILED) return
  notify.warn(reasonText(failReason), { seconds: 'stays', id: `refused ${id}` })
}
