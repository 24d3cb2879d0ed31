import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useViewer } from '../../platform/session.tsx'

/** Prefetches a conversation. */
export type FetchAhead = (ticketId: number, viewer: Viewer) => Promise<void>

/** So long a pointer rests on a row, or the keyboard at it, before its conversation is fetched. */
const REST_MS = 80
/** Delay: the opened conversation is loaded first. */
const NEXT_MS = 600

/**
 * Prefetches the conversation that is probably opened next: that of the row under the pointer, at the
 * keyboard, or after the opened one. One at a time: meanwhile only the last request is kept.
 */
export function useAhead(tickets: Ticket[], chosen: number, fetchAhead: FetchAhead) {
  const viewer = useViewer()
  const now = useRef({ tickets, viewer, fetchAhead })
  useEffect(() => {
    now.current = { tickets, viewer, fetchAhead }
  }, [tickets, viewer, fetchAhead])
  const [{ want, leave }] = useState(() =>
    oneAtATime(ticketId => {
      const { tickets, viewer, fetchAhead } = now.current
      const ticket = tickets.find(({ id }) => id === ticketId)
      return ticket && canRead(viewer, ticket) ? fetchAhead(ticketId, viewer) : undefined
    }),
  )
  useEffect(() => leave, [leave])
  const at = tickets.findIndex(({ id }) => id === chosen)
  const next = at < 0 ? undefined : tickets[at + 1]?.id
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => want(next, 0), NEXT_MS)
    return () => clearTimeout(timer)
  }, [next, want])
  return {
    onPointerOver: ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse') want(rowAt(target), REST_MS)
    },
    onPointerLeave: leave,
    onFocus: ({ target }: FocusEvent) => want(rowAt(target), REST_MS),
    // a click opens it on release
    onPointerDown: ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'mouse') want(rowAt(target), 0)
    },
  }
}

const rowAt = (target: EventTarget) =>
  Number((target as Element).closest<HTMLElement>('[data-ticket]')?.dataset.ticket ?? 0)

function oneAtATime(fetch: (ticketId: number) => Promise<void> | undefined) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = 0
  let isUnderWay = false
  const go = async () => {
    if (isUnderWay) return
    isUnderWay = true
    for (let ticketId = wanted; ticketId > 0; ticketId = wanted) {
      wanted = 0
      await fetch(ticketId)
    }
    isUnderWay = false
  }
  const leave = () => {
    clearTimeout(timer)
    wanted = 0
  }
  return {
    leave,
    want(ticketId: number, restMs: number) {
      clearTimeout(timer)
      if (ticketId === 0) return
      const begin = () => {
        wanted = ticketId
        void go()
      }
      if (restMs > 0) timer = setTimeout(begin, restMs)
      else begin()
    },
  }
}
