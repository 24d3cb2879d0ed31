import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { isBelow, numberAbove } from '@balcao/contract/bots.numbers.rules.ts'
import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type BranchPlace, childrenOf } from './bot-moves.ts'
import type { Moves } from './use-moves.ts'

interface Over {
  number: string
  side: 'before' | 'behind' | 'into'
}

/** Distance (px) a pointer moves before it counts as a drag. */
const SLACK = 6

/**
 * Drags a branch by its card onto another: dropped on its sides it becomes a sibling, on its middle a child.
 */
export function useBranchDrag(commands: BotCommand[], moves: Moves | null) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<Over | null>(null)
  const from = useRef<{ number: string; x: number; y: number } | null>(null)
  const dropped = useRef<Over | null>(null)
  const aim = (at: Over | null) => {
    dropped.current = at
    setOver(at)
  }
  const end = useCallback(() => {
    from.current = null
    setOver(null)
    setDragged(null)
  }, [])
  useEscape(dragged !== null, end)

  const grab = (number: string) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (!moves || event.button !== 0 || event.pointerType === 'touch') return
      from.current = { number, x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const start = from.current
      if (!start) return
      if (dragged === null && Math.hypot(clientX - start.x, clientY - start.y) < SLACK) return
      setDragged(start.number)
      aim(overAt(clientX, clientY, start.number))
    },
    onPointerUp() {
      const start = from.current
      from.current = null
      if (!start || dragged === null) return
      const target = dropped.current
      if (target) moves?.move(start.number, placeAt(commands, start.number, target))
      setOver(null)
      // the click that ends a drag opens nothing
      requestAnimationFrame(() => setDragged(null))
    },
    onPointerCancel: end,
  })
  return { dragged, over, grab }
}

function useEscape(isOn: boolean, cancel: () => void) {
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // the dialog would close as well
      event.stopPropagation()
      cancel()
    }
    window.addEventListener('keydown', onKey, { capture: true, signal: stop.signal })
    return () => stop.abort()
  }, [isOn, cancel])
}

function overAt(x: number, y: number, dragged: string): Over | null {
  const card = document
    .elementsFromPoint(x, y)
    .map(one => one.closest<HTMLElement>('[data-number]'))
    .find(Boolean)
  const number = card?.dataset.number
  if (!card || number === undefined || number === dragged || isBelow(number, dragged)) return null
  const { left, width } = card.getBoundingClientRect()
  const part = (x - left) / width
  return {
    number,
    side: number === '' || (part > 0.25 && part < 0.75) ? 'into' : part < 0.5 ? 'before' : 'behind',
  }
}

function placeAt(commands: BotCommand[], dragged: string, { number, side }: Over): BranchPlace {
  const numbers = commands.map(({ commandBot }) => commandBot).filter(one => one !== dragged)
  if (side === 'into') return { above: number, at: childrenOf(numbers, number).length }
  const above = numberAbove(number)
  return { above, at: childrenOf(numbers, above).indexOf(number) + (side === 'behind' ? 1 : 0) }
}
