import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { useLayoutEffect } from 'react'
import { ofPerson } from '../../platform/person.ts'
import { useUser, useViewer } from '../../platform/session.tsx'
import { type Asked, narrowing } from './asked.ts'
import { orderUnlessChosen, type Sub, useOrder, usePlace } from './place.ts'
import { loadedTickets, stable } from './tickets.api.ts'
import type { Searched } from './tickets.cache.ts'

/** The lists of the screen for its tab, its filters and its order. */
export function useLists() {
  const [{ tab, sub, queueIds, unread, failed, bot, target, asked, view }] = usePlace()
  const [chosen] = useOrder()
  const { showAllTickets } = useUser()
  const showAll = may(useViewer(), 'tickets:showAll') && showAllTickets
  // the default order is omitted: the same list is requested under one key
  const sorted = (sub: Sub) => {
    const sort = chosen ?? orderUnlessChosen[sub]
    return {
      ...(sort !== 'newest' && { sort }),
      ...(unread && { unread }),
      ...(failed && { failed }),
      ...(target && { target }),
    }
  }
  const lists = {
    assigned: stable({ status: 'open', showAll, queueIds, ...sorted('assigned') }),
    pending: stable({ status: 'pending', showAll, queueIds, ...sorted('pending'), ...(bot && { bot }) }),
    closed: stable({ status: 'closed', showAll, queueIds }),
    search: stable(searched(asked, { showAll, queueIds })),
  } satisfies Record<string, Searched>
  const ofView = tab === 'open' && view ? stable(view.list) : null
  return { ...lists, ofView, current: ofView ?? lists[tab === 'open' ? sub : tab] }
}

function searched(asked: Asked | null, list: Pick<Searched, 'showAll' | 'queueIds'>): Searched {
  if (!asked) return { ...list, search: true, status: null }
  const { searchParam, status } = asked
  const queueIds = asked.queueIds?.length ? asked.queueIds : list.queueIds
  return { ...list, search: true, status, searchParam, queueIds, narrowing: narrowing(asked) }
}

let shown: Searched | null = null
ofPerson(() => {
  shown = null
})

/** Which list is shown, for components that do not draw it. */
export function useShownList() {
  const { current } = useLists()
  useLayoutEffect(() => {
    shown = current
  }, [current])
}

/**
 * The ticket after one in the shown list, or else the one before it, as it is when the answered function is called; none
 * where the list does not hold the ticket.
 */
export function follower(viewer: Viewer, ticketId: number): () => Ticket | undefined {
  const loaded = () => (shown ? loadedTickets(shown) : [])
  const all = loaded()
  const at = all.findIndex(ticket => ticket.id === ticketId)
  const inTurn = at < 0 ? [] : [...all.slice(at + 1), ...all.slice(0, at).reverse()]
  return () => {
    const now = loaded().filter(ticket => canRead(viewer, ticket))
    return inTurn.find(({ id }) => now.some(ticket => ticket.id === id))
  }
}

/** The next ticket in the shown list; the first when the list does not hold it. */
export function neighbour(viewer: Viewer, ticketId: number, step: 1 | -1): Ticket | undefined {
  const all = shown ? loadedTickets(shown) : []
  const open = all.filter(ticket => ticket.id === ticketId || canRead(viewer, ticket))
  const at = open.findIndex(ticket => ticket.id === ticketId)
  return at < 0 ? open[0] : open[at + step]
}
