import type { TicketSort } from '@balcao/contract/tickets.ts'
import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useUser } from '../../platform/session.tsx'
import type { Asked } from './asked.ts'

export type Tab = 'open' | 'closed' | 'search'
export type Sub = 'assigned' | 'pending'

/** Where one is in the lists: it stands in the history, so that back, forward and reload lead there again. */
export interface Place {
  tab: Tab
  /** Which of the two lists of open ones. */
  sub: Sub
  /** The queues chosen; undefined means all. */
  queueIds?: number[] | undefined
  /** What was looked for last; null before anything was. */
  asked: Asked | null
}

/** What an entry of the history knows. */
interface Entry {
  place?: Place
  /** The lists stand right behind this entry. */
  fromList?: boolean
  /** The message that a search found, to begin at. */
  found?: string | undefined
}

const START: Place = { tab: 'open', sub: 'assigned', asked: null }
const KEPT = 'ticketsPlace'

/** What leads to the tickets without saying where (a menu, a notice, an action) leads where its user was last. */
const kept = (userId: number): Place => {
  const [whose, place] = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [number?, Place?]
  return whose === userId && place ? place : START
}
const keep = (userId: number, place: Place) => sessionStorage.setItem(KEPT, JSON.stringify([userId, place]))

export function usePlace(): [Place, (change: Partial<Place>) => void] {
  const { id } = useUser()
  const { pathname } = useLocation()
  const entry = useLocation().state as Entry | null
  const navigate = useNavigate()
  const place = entry?.place ?? kept(id)
  const go = useCallback(
    (change: Partial<Place>) => {
      const next = { ...place, ...change }
      keep(id, next)
      void navigate(pathname, { replace: true, state: { ...entry, place: next } })
    },
    [id, place, entry, pathname, navigate],
  )
  return [place, go]
}

/** Writes the place into the entry of the history, however one came there. */
export function useKeptPlace() {
  const { id } = useUser()
  const { pathname } = useLocation()
  const entry = useLocation().state as Entry | null
  const navigate = useNavigate()
  useEffect(() => {
    if (entry?.place) keep(id, entry.place)
    // the address is ahead of the screen: whoever went on already is not brought back
    else if (window.location.pathname === pathname)
      void navigate(pathname, { replace: true, state: { ...entry, place: kept(id) } })
  }, [id, entry, pathname, navigate])
}

/** In which order this browser's user likes the open lists. */
export const useOrder = () =>
  useLocalStorage<TicketSort>({ key: 'ticketOrder', defaultValue: 'newest', getInitialValueInEffect: false })

/** The message that a search found in the conversation that is opened. */
export const useSearchHit = () => (useLocation().state as Entry | null)?.found

/** Back to the lists: by the way one came where they stand right behind, so that the history does not grow. */
export function useToList(): () => void {
  const { id } = useUser()
  const entry = useLocation().state as Entry | null
  const navigate = useNavigate()
  return () => {
    const unchanged = JSON.stringify(entry?.place) === JSON.stringify(kept(id))
    void (entry?.fromList && unchanged ? navigate(-1) : navigate('/tickets'))
  }
}
