import { BOARD_AT_MOST } from '@balcao/contract/kanban.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { TagChoice } from '@balcao/contract/tags.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useUser, useViewer } from '../../platform/session.tsx'
import { type Asked, narrowing } from '../tickets/asked.ts'
import { stable, useTicketList } from '../tickets/tickets.api.ts'
import { laneChoices, usePlacing } from './kanban.api.ts'

/** A lane as it is shown; the first has no tag. */
export interface BoardLane {
  tag: TagChoice | null
  tickets: Ticket[]
}

/** The board: its pages are loaded in sequence and cached with the tickets' lists. */
export function useBoard(asked: Asked) {
  const { showAllTickets } = useUser()
  const showAll = may(useViewer(), 'tickets:showAll') && showAllTickets
  const narrowed = narrowing(asked)
  const searchParam = asked.searchParam.trim()
  // only the server can match text and filters: such a board updates its cards, and none are added unless it
  // is filtered by tags alone
  const search = searchParam !== '' || Object.keys(narrowed).length > 0
  const of = stable({
    status: null,
    board: true,
    showAll,
    ...(asked.queueIds?.length && { queueIds: asked.queueIds }),
    ...(search && { search, searchParam, narrowing: narrowed }),
  })
  const tickets = useTicketList(of)
  const { list, more, moreFailed } = tickets
  const loaded = list?.tickets.length ?? 0
  const goesOn = list?.hasMore === true && loaded < BOARD_AT_MOST && !moreFailed
  // biome-ignore lint/correctness/useExhaustiveDependencies: each loaded page triggers the next
  useEffect(() => {
    if (goesOn) void more()
  }, [goesOn, loaded, more])
  const { data: tags, isError, failureCount, refetch } = useQuery(laneChoices)
  const lanesFailed = isError || failureCount > 1
  return {
    ...tickets,
    failed: tickets.failed || lanesFailed,
    again() {
      if (tickets.failed) tickets.again()
      if (lanesFailed) void refetch()
    },
    lanes: useLanes(tags, list?.tickets),
    goesOn,
  }
}

function useLanes(tags: TagChoice[] | undefined, tickets: Ticket[] | undefined): BoardLane[] | undefined {
  const ids = useMemo(() => new Set(tags?.map(({ id }) => id)), [tags])
  const placeOf = usePlacing(ids)
  return useMemo(() => {
    if (!tags || !tickets) return undefined
    const lanes: BoardLane[] = [null, ...tags].map(tag => ({ tag, tickets: [] }))
    const byId = new Map(lanes.map(lane => [lane.tag?.id ?? null, lane]))
    for (const ticket of tickets) (byId.get(placeOf(ticket)) ?? lanes[0]!).tickets.push(ticket)
    return lanes
  }, [tags, tickets, placeOf])
}
