import { type RefObject, useEffect } from 'react'
import type { Spot } from './moved-note.tsx'

/** A finger that rests so long picks the card up; one that moves before scrolls. Shorter than the browser's own long press. */
const HELD_MS = 300
const STILL = 8
/** So near the edge of the board the lanes scroll under the finger. */
const EDGE = 48
const STEP = 14

interface Drag {
  pick(isPicked: boolean): void
  /** `lane`: the tag of the lane under the finger, null for the first. */
  drop(lane: number | null, at: Spot): void
}

/** Drags an element with a finger: browsers begin no drag of their own by touch, or only some. */
export function useTouchDrag(element: RefObject<HTMLElement | null>, { pick, drop }: Drag) {
  useEffect(() => {
    const card = element.current
    if (!card) return
    const begin = (event: PointerEvent) => {
      if (event.pointerType === 'touch' && event.isPrimary) follow(card, event, { pick, drop })
    }
    card.addEventListener('pointerdown', begin)
    return () => card.removeEventListener('pointerdown', begin)
  }, [element, pick, drop])
}

function follow(card: HTMLElement, { clientX, clientY, pointerId }: PointerEvent, { pick, drop }: Drag) {
  const board = card.closest<HTMLElement>('[data-board]')
  const ended = new AbortController()
  const { signal } = ended
  let at: Spot = { x: clientX, y: clientY }
  let over: HTMLElement | null = null
  let isPicked = false
  const held = setTimeout(() => {
    isPicked = true
    pick(true)
    scrolling()
  }, HELD_MS)
  const mark = (lane: HTMLElement | null) => {
    if (over !== lane) over?.removeAttribute('data-over')
    over = lane
    over?.setAttribute('data-over', 'true')
  }
  const scrolling = () => {
    if (signal.aborted || !board) return
    const { left, right } = board.getBoundingClientRect()
    if (at.x < left + EDGE) board.scrollLeft -= STEP
    else if (at.x > right - EDGE) board.scrollLeft += STEP
    requestAnimationFrame(scrolling)
  }
  const end = () => {
    ended.abort()
    clearTimeout(held)
    mark(null)
    if (isPicked) pick(false)
  }
  const still = (event: Event) => isPicked && event.preventDefault()
  addEventListener(
    'pointermove',
    event => {
      if (event.pointerId !== pointerId) return
      if (!isPicked && Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL) return end()
      at = { x: event.clientX, y: event.clientY }
      if (isPicked) mark(laneAt(at))
    },
    { signal },
  )
  addEventListener(
    'pointerup',
    event => {
      if (event.pointerId !== pointerId) return
      const lane = isPicked ? laneAt(at) : null
      // the click that follows would open the conversation
      if (isPicked) addEventListener('click', stop, { capture: true, once: true })
      end()
      if (lane) drop(lane.dataset.lane ? Number(lane.dataset.lane) : null, at)
    },
    { signal },
  )
  addEventListener('pointercancel', end, { signal })
  // no scrolling, no menu and no drag of the browser's own while a card is held
  addEventListener('touchmove', still, { passive: false, signal })
  addEventListener('contextmenu', still, { signal })
  card.addEventListener(
    'dragstart',
    event => {
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true, signal },
  )
}

const stop = (event: Event) => {
  event.preventDefault()
  event.stopPropagation()
}

const laneAt = ({ x, y }: Spot) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]') ?? null
