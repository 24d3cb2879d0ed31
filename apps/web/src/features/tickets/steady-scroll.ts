import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { keepScroll, scrollOf } from './scroll.ts'
import { steadied } from './steadied.ts'
import type { Searched } from './tickets.cache.ts'

/**
 * Keeps the rows in sight where they are while others come and go above them, and brings a list back to where it was
 * left. At the top there is nothing to keep: the newest row is what one wants to see.
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
