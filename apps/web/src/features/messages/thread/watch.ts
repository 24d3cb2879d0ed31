import { type RefObject, useCallback, useEffect, useRef } from 'react'

/** How far beyond the edge messages are drawn already. */
const AHEAD = '1500px 0px'

/**
 * Reports the height of an element while it is far outside the viewport, and null while it is near; the
 * answered function ends it.
 */
export type Watch = (place: Element, far: (height: number | null) => void) => () => void

/** One observer for all elements in a box: one each would be evaluated in every frame. */
export function useWatch(box: RefObject<HTMLDivElement | null>): Watch {
  const places = useRef(new Map<Element, (height: number | null) => void>())
  const observer = useRef<IntersectionObserver>(null)
  const watch = useCallback<Watch>(
    (place, far) => {
      observer.current ??= new IntersectionObserver(
        entries => {
          for (const { target, isIntersecting, boundingClientRect } of entries)
            places.current.get(target)?.(isIntersecting ? null : boundingClientRect.height)
        },
        { root: box.current, rootMargin: AHEAD },
      )
      places.current.set(place, far)
      observer.current.observe(place)
      return () => {
        places.current.delete(place)
        observer.current?.unobserve(place)
      }
    },
    [box],
  )
  useEffect(
    () => () => {
      observer.current?.disconnect()
      observer.current = null
    },
    [],
  )
  return watch
}
