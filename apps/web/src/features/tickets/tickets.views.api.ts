import { type SavedView, type SavedViewInput, type ViewFilters, views } from '@balcao/contract/views.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import type { Searched } from './tickets.cache.ts'
import { VIEWS } from './tickets.marks.live.ts'

/** How old the counts may be while the views are looked at. */
const COUNTS_MS = 5_000

const viewsOptions = queryOptions({
  queryKey: VIEWS,
  queryFn: async () => (await call(views.list)).views,
})

/** The views of the viewer, with fresh counts while they are shown. */
export const useViews = (isShown = true) =>
  useQuery({ ...viewsOptions, staleTime: COUNTS_MS, refetchInterval: isShown && COUNTS_MS }).data ?? []

const again = () => queryClient.invalidateQueries({ queryKey: VIEWS })

export const addView = (body: SavedViewInput) => call(views.create, { body }).then(again)

export const removeView = ({ id }: SavedView) => call(views.remove, { params: { viewId: id } }).then(again)

/** What a list asks for, as a view keeps it. */
export const filtersOf = (list: Searched): ViewFilters => {
  const { status, showAll, queueIds, search, searchParam, narrowing, unread, failed, bot, following } = list
  return {
    ...(search
      ? { tab: 'search' as const, searchTicketStatus: status ?? ('all' as const) }
      : status && { status }),
    ...(showAll && { showAll }),
    ...(queueIds && { queueIds }),
    ...(searchParam && { searchParam }),
    ...narrowing,
    ...(unread && { withUnreadMessages: true }),
    ...(failed && { withFailedMessages: true }),
    ...(bot && { bot }),
    ...(following && { following }),
    ...(list.snoozed && { snoozed: true }),
  }
}

/** The list of a view. What only the server can decide is asked as a search. */
export function listOfView({ filters, sort }: Pick<SavedView, 'filters' | 'sort'>): Searched {
  const { tab, status, searchTicketStatus, showAll, queueIds, searchParam, ...rest } = filters
  const { withUnreadMessages, withFailedMessages, bot, following, snoozed, ...narrowing } = rest
  const isSearch = tab === 'search' || Boolean(searchParam) || Object.keys(narrowing).length > 0
  const sought = searchTicketStatus && searchTicketStatus !== 'all' ? searchTicketStatus : null
  const place = {
    status: (tab === 'search' ? sought : status || (tab ?? null)) as Searched['status'],
    showAll: showAll === true,
    ...(queueIds && { queueIds }),
  }
  if (isSearch)
    return {
      ...place,
      ...{ search: true, narrowing: { ...rest, ...narrowing } as Searched['narrowing'] & object },
      ...(searchParam && { searchParam }),
    }
  return {
    ...place,
    ...(sort && sort !== 'newest' && { sort }),
    ...(withUnreadMessages && { unread: true as const }),
    ...(withFailedMessages && { failed: true as const }),
    ...(bot && { bot }),
    ...(following && { following: true as const }),
    ...(snoozed && { snoozed: true as const }),
  }
}
