import { BOARD_PAGE, kanban } from '@balcao/contract/kanban.ts'
import { LONG_PAGE } from '@balcao/contract/kit.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type LoadedTickets, newestFirst, orderOf } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketHit, tickets } from '@balcao/contract/tickets.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../platform/call.ts'
import { join } from '../../platform/live.ts'
import { ofPerson } from '../../platform/person.ts'
import { patch, queryClient } from '../../platform/query.ts'
import { useUser, useViewer } from '../../platform/session.tsx'
import { scrollOf } from './scroll.ts'
import {
  afterPush,
  type CachedList,
  caughtUp,
  isNarrowed,
  type Searched,
  ticketPushes,
} from './tickets.cache.ts'

const listKey = (list: Searched) => ['tickets', 'list', list] as const
export const ticketKey = (ticketId: number) => ['tickets', 'one', ticketId] as const

function page(list: Searched, pageNumber: number, signal?: AbortSignal) {
  const { status, showAll, queueIds, sort, search, searchParam, narrowing, board } = list
  if (board) {
    const query = { showAll, queueIds, searchParam, ...narrowing, pageNumber }
    return call(kanban.tickets, { query, signal })
  }
  const query = search
    ? {
        tab: 'search' as const,
        searchTicketStatus: status ?? ('all' as const),
        showAll,
        queueIds,
        searchParam,
        ...narrowing,
        pageNumber,
      }
    : {
        status: status ?? undefined,
        showAll,
        queueIds,
        sort,
        withUnreadMessages: list.unread,
        withFailedMessages: list.failed,
        bot: list.bot,
        snoozed: list.snoozed,
        following: list.following,
        target: list.target,
        pageNumber,
      }
  return call(tickets.list, { query, signal })
}

const NOTHING: CachedList = { tickets: [], hasMore: true, count: 0, pages: 0 }
/** A badge caps at 99: more need not be counted. */
const NARROWED_PAGES = Math.ceil(100 / LONG_PAGE)

/** Fetches as many pages as were on the screen, so that a list that is fetched again keeps its length. */
async function fetchList(list: Searched, viewer: Viewer, signal: AbortSignal): Promise<CachedList> {
  const known = queryClient.getQueryData<CachedList>(listKey(list))
  const pages = isNarrowed(list) ? NARROWED_PAGES : (known?.pages ?? scrollOf(list).pages)
  for (let time = 1; ; time++) {
    const started = performance.now()
    let loaded = NOTHING
    for (let number = 1; number <= pages && loaded.hasMore; number++)
      loaded = withPage(loaded, await page(list, number, signal), list)
    const { made, sure } = caughtUp(loaded, started, viewer, list)
    if (sure || time === TRIES) return made
  }
}

/** How often a list is read again that changed during the read in a way its answer does not show. */
const TRIES = 3

function withPage(
  loaded: CachedList,
  next: LoadedTickets & { hits?: TicketHit[] },
  list: Searched,
): CachedList {
  const known = new Set(loaded.tickets.map(ticket => ticket.id))
  const fresh = next.tickets.filter(ticket => !known.has(ticket.id))
  return {
    tickets: [...loaded.tickets, ...fresh].sort(orderOf(list)),
    hasMore: next.hasMore,
    count: next.count,
    marks: next.marks,
    pages: loaded.pages + 1,
    hits: next.hits && [...(loaded.hits ?? []), ...next.hits],
  }
}

export const listOptions = (list: Searched, viewer: Viewer) =>
  queryOptions({ queryKey: listKey(list), queryFn: ({ signal }) => fetchList(list, viewer, signal) })

/** State of a list, besides its rows. */
export interface ListState {
  isPending: boolean
  /** Loading or reloading failed; it is retried every few seconds. */
  failed: boolean
  error: unknown
  /** Its next page could not be had. */
  moreFailed: boolean
  again(): void
  more(): Promise<void>
}

/** A list of active tickets, with its next page. During another search the previous results stay. */
export function useTicketList(list: Searched, enabled = true): ListState & { list: CachedList | undefined } {
  const viewer = useViewer()
  const { data, isError, error, failureReason, isPlaceholderData, failureCount, refetch } = useQuery({
    ...listOptions(list, viewer),
    enabled,
    placeholderData: list.search ? keepPreviousData : undefined,
  })
  const { status } = list
  useEffect(() => (enabled && status ? join('joinTickets', status) : undefined), [enabled, status])
  const loading = useRef(false)
  const [moreFailed, setMoreFailed] = useState(false)
  const more = useCallback(async () => {
    const loaded = queryClient.getQueryData<CachedList>(listKey(list))
    if (loading.current || !loaded?.hasMore) return
    loading.current = true
    try {
      await loadOn(list, loaded)
      setMoreFailed(false)
    } catch (error) {
      console.warn('the next page of tickets did not come', error)
      setMoreFailed(true)
    } finally {
      loading.current = false
    }
  }, [list])
  return {
    list: data,
    isPending: data === undefined || isPlaceholderData,
    failed: isError || failureCount > 1,
    error: error ?? failureReason,
    moreFailed,
    again: () => void refetch(),
    more,
  }
}

/**
 * The page after what is loaded. Rows that left meanwhile shift the later ones up, so pages are counted by
 * rows, and a page without new rows is followed by the next.
 */
async function loadOn(list: Searched, loaded: CachedList) {
  const known = new Set(loaded.tickets.map(ticket => ticket.id))
  const size = list.board ? BOARD_PAGE : LONG_PAGE
  // pinned ones stand before the first page
  const rows = loaded.tickets.filter(({ pinned }) => !pinned).length
  for (let number = Math.floor(rows / size) + 1; ; number++) {
    const next = await page(list, number)
    if (next.hasMore && next.tickets.every(ticket => known.has(ticket.id))) continue
    patch<CachedList>(listKey(list), now => withPage(now, { ...next, count: now.count }, list))
    return
  }
}

export const ticketOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ticketKey(ticketId),
    queryFn: async () => {
      const started = performance.now()
      const ticket = await call(tickets.show, { params: { ticketId } })
      return ticketPushes.since(started).reduce(afterPush, ticket)
    },
    enabled: ticketId > 0,
  })

/** A ticket by its uuid; a missing one is not retried. */
export const uuidOptions = (uuid: string) =>
  queryOptions({
    queryKey: ['tickets', 'uuid', uuid],
    queryFn: () => call(tickets.show, { params: { ticketId: uuid } }),
    retry: false,
  })

/** In the default order of the screen's lists: so each is requested once. */
const active = (status: 'open' | 'pending', showAll: boolean): Searched => ({
  ...{ status, showAll },
  ...(status === 'pending' && { sort: 'waiting' }),
})

/** The two lists of active tickets with all the viewer's queues: source of title, badges and bell. */
export function useActiveLists() {
  const { showAllTickets } = useUser()
  const open = useTicketList(stable(active('open', showAllTickets)))
  const pending = useTicketList(stable(active('pending', showAllTickets)))
  return { open, pending }
}

const known = new Map<string, Searched>()
ofPerson(() => known.clear())

/** The same list by value is the same object, so that hooks do not start over. */
export function stable(list: Searched): Searched {
  const key = JSON.stringify(list)
  const same = known.get(key) ?? list
  known.set(key, same)
  return same
}

/** The viewer's open tickets and the unread waiting ones; requested after the lists themselves. */
export function useUnreadTickets(): Ticket[] {
  const { showAllTickets } = useUser()
  const lists = useActiveLists()
  const isTurn = !lists.open.isPending && !lists.pending.isPending
  const open = useTicketList(stable({ status: 'open', showAll: false, unread: true }), isTurn)
  const pending = useTicketList(stable({ status: 'pending', showAll: showAllTickets, unread: true }), isTurn)
  return [...(open.list?.tickets ?? []), ...(pending.list?.tickets ?? [])].sort(newestFirst)
}

/** What an act answered: every list has these tickets so at once; a newer push is not undone. */
export function holdTickets(changed: Ticket[]): void {
  const by = new Map(changed.map(ticket => [ticket.id, ticket]))
  const newest = (ticket: Ticket) => {
    const now = by.get(ticket.id)
    return now ? afterPush(ticket, { action: 'update', ticket: now }) : ticket
  }
  patch<CachedList>(['tickets', 'list'], list => ({ ...list, tickets: list.tickets.map(newest) }))
}

/** The cached rows of a list. */
export const loadedTickets = (list: Searched): Ticket[] =>
  queryClient.getQueryData<CachedList>(listKey(list))?.tickets ?? []

/** A ticket from any cached list: shown before its own request is answered. */
export function ticketInLists(ticketId: number): Ticket | undefined {
  for (const [, list] of queryClient.getQueriesData<CachedList>({ queryKey: ['tickets', 'list'] })) {
    const found = list?.tickets.find(ticket => ticket.id === ticketId)
    if (found) return found
  }
  return undefined
}

/** Asked at each opening: who is there changes without a push. */
export const attendantChoices = queryOptions({
  queryKey: ['tickets', 'attendants'],
  queryFn: () => call(tickets.attendants),
  staleTime: 0,
  gcTime: 0,
})
