import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

const rowIn = (element: Element | null) => element?.closest<HTMLElement>('[data-ticket]') ?? null
const idOf = (row: HTMLElement) => Number(row.dataset.ticket)

/**
 * Roving tabindex: a list is one tab stop, at the chosen row or the first; arrows, Home and End move through
 * it, and a row's buttons come after it.
 */
export function useRoving(
  box: RefObject<HTMLElement | null>,
  ids: number[],
  chosen: number,
  virtual: Virtualizer<HTMLDivElement, Element>,
) {
  const at = useRef(0)
  const stop = () => {
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])]
    const isHere = (id: number) => rows.some(row => idOf(row) === id)
    const here = [at.current, chosen].find(isHere) ?? (rows[0] && idOf(rows[0]))
    for (const row of rows) {
      const tabIndex = idOf(row) === here ? 0 : -1
      row.tabIndex = tabIndex
      for (const act of row.parentElement?.querySelectorAll('button') ?? []) act.tabIndex = tabIndex
    }
  }
  useEffect(stop)
  return {
    onFocus({ target }: { target: Element }) {
      const row = rowIn(target)
      if (!row || idOf(row) === at.current) return
      at.current = idOf(row)
      stop()
    },
    onKeyDown(event: KeyboardEvent) {
      const row =
        event.target instanceof Element && event.target.matches('[data-ticket]') && rowIn(event.target)
      if (!row || event.altKey || event.ctrlKey || event.metaKey) return
      const place = ids.indexOf(idOf(row))
      const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: ids.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      const id = ids[to]
      if (id === undefined) return
      at.current = id
      virtual.scrollToIndex(to)
      const focus = () => box.current?.querySelector<HTMLElement>(`[data-ticket="${id}"]`)?.focus()
      requestAnimationFrame(() => requestAnimationFrame(focus))
    },
  }
}
