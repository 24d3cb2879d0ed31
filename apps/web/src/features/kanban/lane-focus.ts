import type { Ticket } from '@balcao/contract/tickets.ts'
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { cardAt, focusCard } from './card-keys.ts'

/** A card that was moved: it keeps the focus, which its dialog took from it. */
export interface Arrival {
  ticketId: number
  /** Moved by the keyboard it is also scrolled into view. */
  byKeys: boolean
}

interface Props {
  tickets: Ticket[]
  lane: RefObject<HTMLElement | null>
  arrival: Arrival | null
  onArrived(): void
  scrollTo(at: number): void
}

/** Focuses the card that was moved here, as soon as it is drawn; not if the focus has moved elsewhere. */
export function useArrival({ tickets, lane, arrival, onArrived, scrollTo }: Props) {
  useEffect(() => {
    const at = arrival ? tickets.findIndex(({ id }) => id === arrival.ticketId) : -1
    if (!arrival || !lane.current || at < 0) return
    if (isElsewhere()) return onArrived()
    const card = cardAt(lane.current, at)
    if (card) focusCard(card, { preventScroll: !arrival.byKeys })
    else if (arrival.byKeys) return scrollTo(at)
    else lane.current.focus({ preventScroll: true })
    onArrived()
  })
}

const isElsewhere = () =>
  document.activeElement !== document.body && !document.activeElement?.closest('[data-lane]')

/**
 * Where the focus moves when the focused card leaves the lane: to the one that moved up, else to the lane.
 */
export function useFocusKept(tickets: Ticket[], lane: RefObject<HTMLElement | null>) {
  const had = useRef<{ ticketId: number; at: number } | null>(null)
  useEffect(() => {
    const left = had.current
    if (!left || !lane.current || document.activeElement !== document.body) return
    if (tickets.some(({ id }) => id === left.ticketId)) return
    had.current = null
    const next = cardAt(lane.current, Math.min(left.at, tickets.length - 1))
    if (next) focusCard(next, { preventScroll: true })
    else lane.current.focus({ preventScroll: true })
  }, [tickets, lane])
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const at = Number(target.closest<HTMLElement>('[data-at]')?.dataset.at ?? -1)
      had.current = tickets[at] ? { ticketId: tickets[at].id, at } : null
    },
    onBlur() {
      had.current = null
    },
  }
}
