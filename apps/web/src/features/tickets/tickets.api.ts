import { connections } from '@balcao/contract/connections.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { queues } from '@balcao/contract/queues.ts'
import { type LoadedTickets, newestFirst } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { useUser, useViewer } from '../../platform/session.tsx'
import { type CachedList, caughtUp, type Searched } from './tickets.cache.ts'

const listKey = (list: Searched) => ['tickets', 'list', list] as const
export const ticketKey = (ticketId: number) => ['tickets', 'one', ticketId] as const

async function page(list: Searched, pageNumber: number, signal?: AbortSignal) {
  const { status, showAll, queueIds, search, searchParam } = list
  const query = search
    ? {
        tab: 'search' as const,
        searchTicketStatus: status ?? ('all' as const),
        showAll,
        queueIds,
        searchParam,
        pageNumber,
      }
    : { status: status ?? undefined, showAll, queueIds, pageNumber }
  return call(tickets.list, { query, signal })
}

/** Fetches as many pages as were on the screen, so that a list that is fetched again keeps its length. */
async function fetchList(list: Searched, viewer: Viewer, signal: AbortSignal): Promise<CachedList> {
  const started = performance.now()
  const pages = queryClient.getQueryData<CachedList>(listKey(list))?.pages ?? 1
  let loaded: CachedList = { tickets: [], hasMore: true, count: 0, pages: 0 }
  for (let number = 1; number <= pages && loaded.hasMore; number++)
    loaded = withPage(loaded, await page(list, number, signal))
  return caughtUp(loaded, started, viewer, list)
}

function withPage(loaded: CachedList, next: LoadedTickets): CachedList {
  const known = new Set(loaded.tickets.map(ticket => ticket.id))
  const fresh = next.tickets.filter(ticket => !known.has(ticket.id))
  return {
    tickets: [...loaded.tickets, ...fresh].sort(newestFirst),
    hasMore: next.hasMore,
    count: next.count,
    pages: loaded.pages + 1,
  }
}

/** How soon a list that could not be had is asked for again: an empty one would say that nobody waits. */
const AGAIN_MS = 5_000

/** A living list and the way to its next page. A failed fetch is silent, as the documents say. */
export function useTicketList(list: Searched, enabled = true) {
  const viewer = useViewer()
  const { data, isSuccess } = useQuery({
    queryKey: listKey(list),
    queryFn: ({ signal }) => fetchList(list, viewer, signal),
    enabled,
    refetchInterval: ({ state }) => state.status === 'error' && AGAIN_MS,
  })
  const loading = useRef(false)
  const more = useCallback(async () => {
    const loaded = queryClient.getQueryData<CachedList>(listKey(list))
    if (loading.current || !loaded?.hasMore) return
    loading.current = true
    try {
      const next = await page(list, loaded.pages + 1)
      queryClient.setQueryData<CachedList>(
        listKey(list),
        now => now && withPage(now, { ...next, count: now.count }),
      )
    } catch (error) {
      console.warn('the next page of tickets did not come', error)
    } finally {
      loading.current = false
    }
  }, [list])
  return { list: data, isPending: !isSuccess, more }
}

export const ticketOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ticketKey(ticketId),
    queryFn: () => call(tickets.show, { params: { ticketId } }),
    enabled: ticketId > 0,
  })

const living = (status: 'open' | 'pending', showAll: boolean): Searched => ({ status, showAll })

/** The two living lists with all the viewer's queues: what title, badges and bell go by. */
export function useLivingLists() {
  const { showAllTickets } = useUser()
  const open = useTicketList(stable(living('open', showAllTickets)))
  const pending = useTicketList(stable(living('pending', showAllTickets)))
  return { open, pending }
}

const known = new Map<string, Searched>()
/** The same list by value is the same object, so that hooks do not start over. */
export function stable(list: Searched): Searched {
  const key = JSON.stringify(list)
  const same = known.get(key) ?? list
  known.set(key, same)
  return same
}

/** The viewer's open tickets and the waiting ones that nobody has read. */
export function useUnreadTickets(): Ticket[] {
  const { id } = useUser()
  const { open, pending } = useLivingLists()
  const mine = open.list?.tickets.filter(ticket => ticket.userId === id) ?? []
  return [...mine, ...(pending.list?.tickets ?? [])]
    .filter(ticket => ticket.unreadMessages > 0)
    .sort(newestFirst)
}

export const queueChoices = queryOptions({ queryKey: ['queues'], queryFn: () => call(queues.list) })
export const connectionChoices = queryOptions({
  queryKey: ['connections'],
  queryFn: () => call(connections.list),
})
