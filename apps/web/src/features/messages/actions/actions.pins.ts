import { type Message, messages, type PinSpan } from '@balcao/contract/messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'
import { put } from '../messages.api.ts'

/** The pinned messages of a conversation, and whether its connection pins any. */
export const pinsOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ['pins', ticketId],
    queryFn: () => call(messages.pins, { params: { ticketId } }),
    // pushes are not received while it is unmounted
    staleTime: 0,
  })

/** Pins a message for everyone, or takes the pin off; it is shown once the network agreed. Throws ApiError. */
export const pinMessage = async ({ id: messageId }: Message, span: PinSpan | null) =>
  put(await call(messages.pin, { params: { messageId }, body: { span } }))
