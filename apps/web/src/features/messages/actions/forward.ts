import { type Message, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../../platform/call.ts'
import { put } from '../messages.api.ts'

/** The active ticket of a contact, null where there is none; never cached. */
export const activeTicketOf = (contactId: number) =>
  queryOptions({
    queryKey: ['tickets', 'active', contactId],
    queryFn: () =>
      call(tickets.checkContactOpen, { body: { contactId } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'ERR_NO_TICKET_FOUND') return null
        throw error
      }),
    staleTime: 0,
    gcTime: 0,
  })

/** One message to be forwarded, with the id of its copy: an idempotency key across retries. */
export interface Copy {
  id: string
  messageId: string
}

/** Sends copies of what is read in the conversation `from` to an open ticket. Throws ApiError. */
export async function forwardMessages(ticketId: number, from: number, copies: Copy[]): Promise<Message[]> {
  const body = { from, messages: copies }
  const { messages: sent } = await call(messages.forward, { params: { ticketId }, body })
  for (const message of sent) put(message)
  return sent
}
