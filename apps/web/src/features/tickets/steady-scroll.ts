import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { keepScroll, scrollOf } from './scroll.ts'
import { steadied } from './steadied.ts'
import type { Searched } from './tickets.cache.ts'

/**
 * Keeps the visible rows in their position while others come and go above them, and restores a list's scroll
 * position. At the top nothing is kept: the newest row is wanted there.
 */
export function useSteadyScroll(
  box: RefObject<HTMLDivElement | null>,
  list: Searched,
  { ids, fresh, height, pages }: { ids: number[]; fresh: number; height: number; pages: number },
) {
  const before = useRef({ ids, fresh })
  const restored = useRef(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (!restored.current && ids.length > 0) {
      restored.current = true
      element.scrollTop = scrollOf(list).top
    } else element.scrollTop = steadied(element.scrollTop, before.current, { ids, fresh }, height)
    before.current = { ids, fresh }
  }, [box, list, ids, fresh, height])
  useEffect(() => {
    const element = box.current
    if (!element) return
    const remember = () => restored.current && keepScroll(list, { top: element.scrollTop, pages })
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [box, list, pages])
}
