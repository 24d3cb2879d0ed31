import type { TargetFilter } from '@balcao/contract/targets.ts'
import type { BotFilter, TicketSort } from '@balcao/contract/tickets.ts'
import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useEffect } from 'react'
import { useLocation } from 'react-router'
import { useUser } from '../../platform/session.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import type { Asked } from './asked.ts'
import type { Searched } from './tickets.cache.ts'

export type Tab = 'open' | 'closed' | 'search'
export type Sub = 'assigned' | 'pending'

/** Position in the lists, kept in the history, so that back, forward and reload restore it. */
export interface Place {
  tab: Tab
  /** Which of the two lists of open ones. */
  sub: Sub
  /** The queues chosen; undefined means all. */
  queueIds?: number[] | undefined
  /** Of the open ones only those with unread messages. */
  unread?: true | undefined
  /** Of the open ones only those with messages that could not be sent. */
  failed?: true | undefined
  /** Of the waiting ones only those that a bot leads, or only the others. */
  bot?: BotFilter | undefined
  /** A view in place of the open ones. */
  view?: ChosenView | undefined
  /** Of the open ones only those that are late, or will be soon. */
  target?: TargetFilter | undefined
  /** The last search; null before the first. */
  asked: Asked | null
}

export interface ChosenView {
  id: number | string
  name: string
  list: Searched
}

/** State of a history entry. */
interface Entry {
  place?: Place
  /** The previous history entry is the list. */
  fromList?: boolean
  /** The found message, to scroll to. */
  found?: string | undefined
}

const START: Place = { tab: 'open', sub: 'assigned', asked: null }
const KEPT = 'ticketsPlace'

/** A link to the tickets without a position (a menu, a notice, an action) leads to the user's last one. */
const kept = (userId: number): Place => {
  const [whose, place] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [number?, Place?]
  return whose === userId && place ? place : START
}
const keep = (userId: number, place: Place) => sessionStorage.setItem(KEPT, JSON.stringify([userId, place]))

export function usePlace(): [Place, (change: Partial<Place>) => void] {
  const { id } = useUser()
  const { pathname } = useLocation()
  const entry = useLocation().state as Entry | null
  const goTo = useGoTo()
  const place = entry?.place ?? kept(id)
  const go = useCallback(
    (change: Partial<Place>) => {
      const next = { ...place, ...change }
      keep(id, next)
      goTo(pathname, { replace: true, state: { ...entry, place: next } })
    },
    [id, place, entry, pathname, goTo],
  )
  return [place, go]
}

/** Writes the position into the current history entry, whichever navigation led there. */
export function useKeptPlace() {
  const { id } = useUser()
  const { pathname } = useLocation()
  const entry = useLocation().state as Entry | null
  const goTo = useGoTo()
  useEffect(() => {
    if (entry?.place) keep(id, entry.place)
    // the address is ahead of the screen: a newer navigation is not reverted
    else if (window.location.pathname === pathname)
      goTo(pathname, { replace: true, state: { ...entry, place: kept(id) } })
  }, [id, entry, pathname, goTo])
}

/** This browser's order of the open lists; null until chosen. */
export const useOrder = () =>
  useLocalStorage<TicketSort | null>({
    key: 'ticketOrder',
    defaultValue: null,
    getInitialValueInEffect: false,
  })

/** Whether the next ticket of the list is opened when one is resolved, in this browser. */
export const useOpensNext = () =>
  useLocalStorage({ key: 'nextAfterResolving', defaultValue: false, getInitialValueInEffect: false })

/** Default orders: waiting tickets by how long they wait, attended ones by what is new. */
export const orderUnlessChosen = { assigned: 'newest', pending: 'waiting' } as const

/** The message that a search found in the conversation that is opened. */
export const useSearchHit = () => (useLocation().state as Entry | null)?.found

/**
 * Back to the lists: by history.back where they are the previous entry, so that the history does not grow.
 */
export function useToList(): () => void {
  const { id } = useUser()
  const entry = useLocation().state as Entry | null
  const goTo = useGoTo()
  return () => {
    const unchanged = JSON.stringify(entry?.place) === JSON.stringify(kept(id))
    void (entry?.fromList && unchanged ? goTo(-1) : goTo('/tickets'))
  }
}
