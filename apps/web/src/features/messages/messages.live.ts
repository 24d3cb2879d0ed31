import { contactChannel } from '@balcao/contract/contacts.ts'
import { FAILED } from '@balcao/contract/messages.rules.ts'
import { type Message, messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { type TicketEvent, ticketChannel, ticketEventChannel } from '@balcao/contract/tickets.ts'
import { reasonText } from '../../platform/errors.text.ts'
import { listen } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain, queryClient } from '../../platform/query.ts'
import { removedHere } from './actions/operations.ts'
import { contactOptions, FILES } from './drawer/drawer.api.ts'
import { storyOptions, threadKey } from './messages.api.ts'
import { type CachedThread, messagePushes, shows, ticketEventPushes, withPush } from './messages.cache.ts'
import { useMessageText } from './messages.text.ts'
import { hearTyping } from './messages.typing.ts'
import { dropWaiting } from './messages.waiting.ts'

/** Keeps every cached conversation as the server has it. */
export function followMessages(viewer: Viewer): () => void {
  const stops = [
    listen(messageChannel, push => {
      if (push.action === 'delete') void askAgain({ queryKey: [FILES] })
      else if (push.message.mediaUrl) void askAgain({ queryKey: [FILES, push.message.contactId] })
      messagePushes.keep(push)
      // the answer that said so was lost on the way
      if (push.action !== 'delete') dropWaiting(push.message.id)
      for (const [key, before] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] })) {
        const now = before && withPush(before, push, viewer)
        if (push.action === 'update' && before) {
          if (push.message.isDeleted) tellDeletion(before, push.message)
          else tellRefusal(before, push.message)
        }
        queryClient.setQueryData<CachedThread>(key, now)
      }
      if (push.action === 'create' && !push.message.fromMe) hearTyping(push.message.ticketId, 'paused')
    }),
    listen(contactChannel, push => {
      if (push.action !== 'delete')
        queryClient.setQueryData(contactOptions(push.contact.id).queryKey, known => known && push.contact)
    }),
    listen(ticketChannel, push => {
      if (push.action === 'delete') forget(push.ticketId)
      if (push.action === 'update' && !canRead(viewer, push.ticket)) forget(push.ticket.id)
    }),
    listen(ticketEventChannel, happened => hearStory(happened, viewer)),
    listen(typingChannel, ({ ticketId, state }) => hearTyping(ticketId, state)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * What is gone, or may no longer be read, is forgotten: its news do not come any more. Where else it stands, with the
 * customer's other conversations, is looked at again.
 */
function forget(ticketId: number) {
  queryClient.removeQueries({ queryKey: threadKey(ticketId) })
  for (const [queryKey, thread] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] }))
    if (thread?.messages.some(message => message.ticketId === ticketId))
      void queryClient.invalidateQueries({ queryKey })
}

/** One more line of history in every conversation that shows its ticket. */
function hearStory(happened: TicketEvent, viewer: Viewer) {
  ticketEventPushes.keep(happened)
  for (const [key, thread] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] })) {
    const owner = happened.user?.id ?? null
    if (!thread || !shows(thread.ticket, happened, owner, viewer)) continue
    queryClient.setQueryData(storyOptions(key[1] as number).queryKey, story =>
      story && !story.events.some(({ id }) => id === happened.id)
        ? { events: [...story.events, happened] }
        : story,
    )
  }
}

/** Words that were read and are gone: it stays until closed, once a message. Whoever took them away knows. */
function tellDeletion({ messages, ticket }: CachedThread, { id: messageId }: Message) {
  const known = messages.find(({ id }) => id === messageId)
  if (!known || known.isDeleted || removedHere.delete(messageId)) return
  notify.info(useMessageText.read('deletion', { name: ticket.contact.name }), {
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
