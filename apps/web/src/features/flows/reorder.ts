import { moved } from '@balcao/contract/flows.rules.ts'
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'

interface Row {
  key: string
}

/**
 * Puts rows marked with `data-action` in another order: dragged by a handle with any pointer, or moved with the arrow
 * keys while the handle has the focus, which stays on it. Escape puts a dragged row back.
 */
export function useReorder<R extends Row>(
  rows: R[],
  onOrder: (rows: R[]) => void,
  move: (from: number, to: number) => void,
) {
  const box = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const before = useRef(rows)
  const keepFocus = useRef<string | null>(null)
  // after every drawing: it costs nothing while no key was pressed
  useEffect(() => {
    // the row was moved in the document, which lost its focus
    if (keepFocus.current) handleOf(box.current, keepFocus.current)?.focus()
    keepFocus.current = null
  })
  const onDrag = useEffectEvent((event: globalThis.PointerEvent, key: string) =>
    follow(event, box.current, key, { rows, onOrder }),
  )
  const onEscape = useEffectEvent(() => onOrder(before.current))
  useEffect(() => {
    if (dragged === null) return
    const stop = new AbortController()
    const { signal } = stop
    const end = () => setDragged(null)
    window.addEventListener('pointermove', event => onDrag(event, dragged), { signal })
    window.addEventListener('pointerup', end, { signal })
    window.addEventListener('pointercancel', end, { signal })
    window.addEventListener(
      'keydown',
      event => {
        if (event.key !== 'Escape') return
        onEscape()
        end()
      },
      { signal },
    )
    return () => stop.abort()
  }, [dragged])

  const handle = ({ key }: R, at: number) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      before.current = rows
      setDragged(key)
    },
    onKeyDown(event: KeyboardEvent) {
      const to = places(at, rows.length)[event.key]
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      keepFocus.current = key
      move(at, to)
    },
  })
  return { box, dragged, handle }
}

const places = (at: number, count: number): Record<string, number> => ({
  ArrowUp: at - 1,
  ArrowDown: at + 1,
  Home: 0,
  End: count - 1,
})

const rowsIn = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>('[data-action]') ?? [])]

const handleOf = (box: HTMLElement | null, key: string) =>
  rowsIn(box)
    .find(row => row.dataset.action === key)
    ?.querySelector<HTMLElement>('button')

/** The dragged row swaps with the one whose middle the pointer passed. */
function follow<R extends Row>(
  { clientY }: globalThis.PointerEvent,
  box: HTMLElement | null,
  key: string,
  { rows, onOrder }: { rows: R[]; onOrder(rows: R[]): void },
) {
  const from = rows.findIndex(row => row.key === key)
  const others = rowsIn(box).filter(row => row.dataset.action !== key)
  const to = others.filter(row => {
    const { top, height } = row.getBoundingClientRect()
    return clientY > top + height / 2
  }).length
  if (from >= 0 && to !== from) onOrder(moved(rows, from, to))
}
