import { type RefObject, useEffect, useState } from 'react'

/** True once an element was near the screen: what it shows is worth fetching. */
export function useNear(element: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!enabled || isNear || !element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, enabled, isNear])
  return isNear
}
