import { contactChannel } from '@balcao/contract/contacts.ts'
import { draftChannel } from '@balcao/contract/drafts.ts'
import { WAITING } from '@balcao/contract/messages.rules.ts'
import { type Message, messageChannel, typingChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type TicketEvent, ticketEventChannel } from '@balcao/contract/tickets.history.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { ticketChannel } from '@balcao/contract/tickets.ts'
import { reasonText } from '../../platform/errors.text.ts'
import { listen } from '../../platform/live.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain, patch, patchByPush, queryClient } from '../../platform/query.ts'
import { removedHere } from './actions/operations.ts'
import { takeDraft } from './composer/kept-drafts.ts'
import { contactOptions, FILES } from './drawer/drawer.api.ts'
import { storyOptions, threadKey } from './messages.api.ts'
import { type CachedThread, messagePushes, shows, ticketEventPushes, withPush } from './messages.cache.ts'
import { useMessageText } from './messages.text.ts'
import { onTyping } from './messages.typing.ts'
import { arrived } from './messages.waiting.ts'

/** Keeps every cached conversation as the server has it. */
export function followMessages(viewer: Viewer): () => void {
  const stops = [
    listen(messageChannel, push => {
      if (push.action === 'delete') void askAgain({ queryKey: [FILES] })
      else if (push.message.mediaUrl) void askAgain({ queryKey: [FILES, push.message.contactId] })
      messagePushes.keep(push)
      // the response that confirmed it was lost
      if (push.action !== 'delete') arrived(push.message.id)
      patch<CachedThread>(['messages'], before => {
        if (push.action === 'update') {
          if (push.message.isDeleted) reportDeletion(before, push.message)
          else reportRefusal(before, push.message)
        }
        return withPush(before, push, viewer)
      })
      if (push.action === 'create' && !push.message.fromMe) onTyping(push.message.ticketId, 'paused')
    }),
    listen(contactChannel, push => {
      if (push.action !== 'delete') patchByPush(contactOptions(push.contact.id).queryKey, () => push.contact)
    }),
    listen(ticketChannel, push => {
      if (push.action === 'delete') forget(push.ticketId)
      if (push.action === 'update' && !canRead(viewer, push.ticket)) forget(push.ticket.id)
    }),
    listen(ticketEventChannel, happened => onTicketEvent(happened, viewer)),
    listen(draftChannel, takeDraft),
    listen(typingChannel, ({ ticketId, state }) => onTyping(ticketId, state)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Drops a deleted or no longer readable ticket: its pushes stop. Other lists that contain it (the customer's
 * conversations) are refetched.
 */
function forget(ticketId: number) {
  queryClient.removeQueries({ queryKey: threadKey(ticketId) })
  for (const [queryKey, thread] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] }))
    if (thread?.messages.some(message => message.ticketId === ticketId))
      void queryClient.invalidateQueries({ queryKey })
}

/** An event is added to every cached conversation that shows its ticket. */
function onTicketEvent(happened: TicketEvent, viewer: Viewer) {
  ticketEventPushes.keep(happened)
  for (const [key, thread] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] })) {
    const owner = happened.user?.id ?? null
    if (!thread || !shows(thread.ticket, happened, owner, viewer)) continue
    patch<{ events: TicketEvent[] }>(storyOptions(key[1] as number).queryKey, story =>
      story.events.some(({ id }) => id === happened.id) ? story : { events: [...story.events, happened] },
    )
  }
}

/**
 * A message that was read is gone: the notice stays until closed, once per message. Not for the user who
 * deleted it.
 */
function reportDeletion({ messages, ticket }: CachedThread, { id: messageId }: Message) {
  const known = messages.find(({ id }) => id === messageId)
  if (!known || known.isDeleted || removedHere.delete(messageId)) return
  notify.info(useMessageText.read('deletion', { name: ticket.contact.name }), {
    seconds: 'stays',
    id: `deleted ${messageId}`,
  })
}

/** A deletion, an edit or a reaction that failed: the bubble looks as before, so a notice reports it. */
function reportRefusal({ messages }: CachedThread, { id, ack, failReason }: Message) {
  const known = messages.find(one => one.id === id)
  // a message that was not sent yet shows its own reason
  if (!known || !failReason || known.failReason === failReason || ack <= WAITING) return
  notify.warn(reasonText(failReason), { seconds: 'stays', id: `refused ${id}` })
}
