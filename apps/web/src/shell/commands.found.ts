import { contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../platform/call.ts'
import { useUser } from '../platform/session.tsx'
import { PICKER_MIN, TYPING_MS } from '../platform/typing.ts'

/** Rows shown of each kind. */
const MOST = 6

const FRESH_MS = 10_000

/** Conversations and contacts by a typed text; the rows of the text before stay until the answer. */
export function useFound(typed: string) {
  const { showAllTickets } = useUser()
  const text = typed.trim()
  const [words] = useDebouncedValue(text, TYPING_MS)
  const isSearch = text.length >= PICKER_MIN
  const asked = {
    enabled: isSearch && words.length >= PICKER_MIN,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    refetchInterval: false as const,
  }
  const conversations = useQuery({ ...conversationsBy(words, showAllTickets), ...asked })
  const people = useQuery({ ...contactsBy(words), ...asked })
  const both = [conversations, people]
  const isOfText = words === text
  return {
    conversations: (isSearch && conversations.data?.tickets.filter((_, at) => at < MOST)) || [],
    hits: conversations.data?.hits ?? [],
    contacts: (isSearch && people.data?.contacts.filter((_, at) => at < MOST)) || [],
    /** Rows of a text before: they only hold the place of the answer. */
    isOld: {
      conversations: !isOfText || conversations.isPlaceholderData,
      contacts: !isOfText || people.isPlaceholderData,
    },
    /** Both answers are there, and are of what is typed now. */
    isAnswered:
      !isSearch ||
      (isOfText && both.every(one => one.fetchStatus === 'idle' && !one.isPending && !one.isPlaceholderData)),
    /** Without a connection nothing is asked. */
    isOffline: isSearch && both.some(({ fetchStatus }) => fetchStatus === 'paused'),
    failed: isSearch && isOfText && both.some(one => one.isError),
  }
}

const conversationsBy = (searchParam: string, showAll: boolean) =>
  queryOptions({
    queryKey: ['commands', 'tickets', searchParam, showAll],
    queryFn: ({ signal }) =>
      call(tickets.list, {
        query: { tab: 'search', searchTicketStatus: 'all', searchParam, showAll },
        signal,
      }),
  })

const contactsBy = (searchParam: string) =>
  queryOptions({
    queryKey: ['commands', 'contacts', searchParam],
    queryFn: ({ signal }) => call(contacts.list, { query: { searchParam }, signal }),
  })
