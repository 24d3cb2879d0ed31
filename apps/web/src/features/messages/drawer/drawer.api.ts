import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/call.ts'

/** A contact as it is now. */
export const contactOptions = (contactId: number) =>
  queryOptions({
    queryKey: ['contacts', 'beside', contactId],
    queryFn: () => call(contacts.show, { params: { contactId } }),
  })

export const FILES = 'files'

/** The files of a conversation, newest first; refetched whenever one is added or removed. */
export const filesOptions = (contactId: number, ticketId: number) =>
  infiniteQueryOptions({
    queryKey: [FILES, contactId, ticketId],
    queryFn: ({ pageParam: pageNumber, signal }) =>
      call(messages.files, { params: { ticketId }, query: { pageNumber }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    // pushes are not received while it is unmounted
    staleTime: 0,
  })
