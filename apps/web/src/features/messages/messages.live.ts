import { applyMessagePush } from '@balcao/contract/messages.rules.ts'
import { type Message, type MessagePush, messageChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'
import type { CachedThread } from './messages.api.ts'

/** Keeps every cached conversation as the server has it. */
export const followMessages = (viewer: Viewer): (() => void) =>
  listen(messageChannel, push => {
    for (const [key] of queryClient.getQueriesData<CachedThread>({ queryKey: ['messages'] }))
      queryClient.setQueryData<CachedThread>(key, thread => thread && heardIn(thread, push, viewer))
  })

function heardIn(thread: CachedThread, push: MessagePush, viewer: Viewer): CachedThread {
  const owner = push.action === 'delete' ? null : push.ticket.userId
  return {
    ...thread,
    messages: applyMessagePush(thread.messages, push, message =>
      shows(thread.ticket, message, owner, viewer),
    ),
  }
}

/** The same rule as the server's viewMessagesByTicket (OP-69). */
function shows(ticket: Ticket, message: Message, owner: number | null, viewer: Viewer): boolean {
  const mode = viewer.authorization.viewMessagesByTicket
  if (mode === 2 || message.ticketId === ticket.id) return message.ticketId === ticket.id
  return message.contactId === ticket.contactId && (mode === 0 || owner === viewer.id)
}
