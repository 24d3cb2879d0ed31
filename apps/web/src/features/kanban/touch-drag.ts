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
      if (event.pointerType === 'touch' && event.isPrimary) new Finger(card, event, { pick, drop })
    }
    card.addEventListener('pointerdown', begin)
    return () => card.removeEventListener('pointerdown', begin)
  }, [element, pick, drop])
}

/** A finger on a card, until it leaves the screen. */
class Finger {
  readonly #board: HTMLElement | null
  readonly #drag: Drag
  readonly #start: PointerEvent
  readonly #ended = new AbortController()
  readonly #held: ReturnType<typeof setTimeout>
  #at: Spot
  #over: HTMLElement | null = null
  #isPicked = false

  constructor(card: HTMLElement, start: PointerEvent, drag: Drag) {
    this.#board = card.closest<HTMLElement>('[data-board]')
    this.#start = start
    this.#drag = drag
    this.#at = { x: start.clientX, y: start.clientY }
    this.#held = setTimeout(() => this.#pick(), HELD_MS)
    const { signal } = this.#ended
    addEventListener('pointermove', event => this.#move(event), { signal })
    addEventListener('pointerup', event => this.#release(event), { signal })
    addEventListener('pointercancel', () => this.#end(), { signal })
    // no scrolling, no menu and no drag of the browser's own while a card is held
    const still = (event: Event) => this.#isPicked && event.preventDefault()
    addEventListener('touchmove', still, { passive: false, signal })
    addEventListener('contextmenu', still, { signal })
    card.addEventListener('dragstart', stop, { capture: true, signal })
  }

  #pick() {
    this.#isPicked = true
    this.#drag.pick(true)
    this.#scroll()
  }

  #move({ pointerId, clientX: x, clientY: y }: PointerEvent) {
    const { clientX, clientY, pointerId: mine } = this.#start
    if (pointerId !== mine) return
    if (!this.#isPicked && Math.hypot(x - clientX, y - clientY) > STILL) return this.#end()
    this.#at = { x, y }
    if (this.#isPicked) this.#mark(laneAt(this.#at))
  }

  #release({ pointerId }: PointerEvent) {
    if (pointerId !== this.#start.pointerId) return
    const lane = this.#isPicked ? laneAt(this.#at) : null
    if (this.#isPicked) ignoreNextClick()
    this.#end()
    if (lane) this.#drag.drop(lane.dataset.lane ? Number(lane.dataset.lane) : null, this.#at)
  }

  #end() {
    this.#ended.abort()
    clearTimeout(this.#held)
    this.#mark(null)
    if (this.#isPicked) this.#drag.pick(false)
  }

  #mark(lane: HTMLElement | null) {
    if (this.#over !== lane) this.#over?.removeAttribute('data-over')
    this.#over = lane
    lane?.setAttribute('data-over', 'true')
  }

  #scroll() {
    if (this.#ended.signal.aborted || !this.#board) return
    const { left, right } = this.#board.getBoundingClientRect()
    if (this.#at.x < left + EDGE) this.#board.scrollLeft -= STEP
    else if (this.#at.x > right - EDGE) this.#board.scrollLeft += STEP
    requestAnimationFrame(() => this.#scroll())
  }
}

/** The click that follows would open the conversation; not every browser sends one. */
function ignoreNextClick() {
  const over = new AbortController()
  addEventListener('click', stop, { capture: true, signal: over.signal })
  setTimeout(() => over.abort(), 0)
}

const stop = (event: Event) => {
  event.preventDefault()
  event.stopPropagation()
}

const laneAt = ({ x, y }: Spot) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]') ?? null
