import { laneOf } from '@balcao/contract/kanban.rules.ts'
import { kanban } from '@balcao/contract/kanban.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { ownStore } from '../../platform/person.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { useStore } from '../../platform/store.ts'
import { holdTickets } from '../tickets/tickets.api.ts'
import { LANES } from './kanban.live.ts'

export const laneChoices = queryOptions({
  queryKey: LANES,
  queryFn: async () => (await call(kanban.lanes)).lista,
})

/** Puts a lane in the place of another, at once; a refusal reverts it and shows the reason. */
export async function moveLane(tagId: number, to: number): Promise<void> {
  const before = queryClient.getQueryData(laneChoices.queryKey) ?? []
  const tag = before.find(({ id }) => id === tagId)
  if (!tag || to < 0 || to >= before.length) return
  const lanes = before.filter(({ id }) => id !== tagId).toSpliced(to, 0, tag)
  queryClient.setQueryData(laneChoices.queryKey, lanes)
  try {
    const { lista } = await call(kanban.order, { body: { tagIds: lanes.map(({ id }) => id) } })
    queryClient.setQueryData(laneChoices.queryKey, lista)
  } catch (error) {
    notify.failed(error)
    await askAgain({ queryKey: LANES })
  }
}

/** A lane that cards were moved to; each move has its own. */
interface Way {
  to: number | null
}

/** Where cards are on their way to: they are shown there until the server has answered. */
const onTheWay = ownStore<ReadonlyMap<number, Way>>(new Map())

/** The lane a card is shown in. */
export function usePlacing(lanes: ReadonlySet<number>) {
  const ways = useStore(onTheWay)
  return useCallback(
    (ticket: Ticket) => {
      const way = ways.get(ticket.id)
      return way ? way.to : laneOf(ticket, lanes)
    },
    [ways, lanes],
  )
}

/**
 * Moves cards optimistically; a refusal reverts them and shows the reason. Answers whether they were moved.
 */
export async function moveCards(ticketIds: number[], tagId: number | null): Promise<boolean> {
  const way = { to: tagId }
  onTheWay.write(new Map([...onTheWay.read(), ...ticketIds.map(id => [id, way] as const)]))
  try {
    const { tickets } = await inTurn(() => call(kanban.move, { body: { ticketIds, tagId } }))
    holdTickets(tickets)
    return true
  } catch (error) {
    // the documents only log it (KANBAN-010); the user needs to know why the card went back
    console.warn('cards could not be moved', error)
    notify.failed(error)
    return false
  } finally {
    // a card that was moved again meanwhile has another target
    onTheWay.write(new Map([...onTheWay.read()].filter(([, now]) => now !== way)))
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Serialised: of two moves of a card the later one wins. */
function inTurn<T>(move: () => Promise<T>): Promise<T> {
  const mine = last.then(move)
  last = mine.catch(() => {})
  return mine
}
