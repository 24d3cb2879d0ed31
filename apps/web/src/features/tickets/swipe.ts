import { type RefObject, useEffect, useEffectEvent } from 'react'

/** So far a finger moves a row until it counts, in px. */
const FAR = 96
/** Before that it may be a tap, or scroll. */
const BEGIN = 14

/** A row that a finger moves aside: to the right it is resolved, to the left put aside. One listener for a list. */
export function useSwipes(
  box: RefObject<HTMLElement | null>,
  done: (row: Element, to: 'resolve' | 'snooze') => void,
) {
  const act = useEffectEvent(done)
  useEffect(() => {
    const area = box.current
    if (!area) return
    let row: HTMLElement | null = null
    let from = { x: 0, y: 0 }
    let by = 0
    const show = (px: number) => {
      if (!row) return
      row.style.translate = px === 0 ? '' : `${px}px`
      row.toggleAttribute('data-swiped', Math.abs(px) > FAR)
    }
    const begin = ({ touches, target }: TouchEvent) => {
      row = touches.length === 1 ? (target as Element).closest<HTMLElement>('[data-ticket]') : null
      from = { x: touches[0]!.clientX, y: touches[0]!.clientY }
      by = 0
    }
    const move = (event: TouchEvent) => {
      if (!row) return
      const { clientX, clientY } = event.touches[0]!
      const aside = clientX - from.x
      if (by === 0 && Math.abs(clientY - from.y) > BEGIN) row = null
      if (!row || (by === 0 && Math.abs(aside) < BEGIN)) return
      // the list does not scroll meanwhile
      event.preventDefault()
      by = aside
      show(by)
    }
    const end = () => {
      show(0)
      if (row && Math.abs(by) > FAR) act(row, by > 0 ? 'resolve' : 'snooze')
      row = null
    }
    area.addEventListener('touchstart', begin, { passive: true })
    area.addEventListener('touchmove', move, { passive: false })
    area.addEventListener('touchend', end)
    area.addEventListener('touchcancel', end)
    return () => {
      area.removeEventListener('touchstart', begin)
      area.removeEventListener('touchmove', move)
      area.removeEventListener('touchend', end)
      area.removeEventListener('touchcancel', end)
    }
  }, [box])
}
