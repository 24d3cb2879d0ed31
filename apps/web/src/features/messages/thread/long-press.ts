import type { Message } from '@balcao/contract/messages.ts'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { BubbleTools } from './bubble.tsx'

const HELD_MS = 450
/** Tolerance: a finger never stays quite still (px). */
const STILL = 10

/** A long press on a message opens its menu. One listener for the whole conversation. */
export function useLongPress(box: RefObject<HTMLDivElement | null>, messages: Message[], tools: BubbleTools) {
  const open = useEffectEvent((held: HTMLElement) => {
    const message = messages.find(({ id }) => id === held.dataset.message)
    if (message && message.version > 0) tools.show('menu', message, held)
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let from = { x: 0, y: 0 }
    const drop = () => clearTimeout(timer)
    const down = (event: PointerEvent) => {
      drop()
      const held = event.target instanceof Element && event.target.closest<HTMLElement>('[data-message]')
      if (event.pointerType === 'mouse' || !held) return
      from = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => open(held), HELD_MS)
    }
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > STILL) drop()
    }
    // the browser's own menu would cover ours
    const noMenu = (event: MouseEvent) => {
      if (event instanceof PointerEvent && event.pointerType === 'touch') event.preventDefault()
    }
    const listeners = { pointerdown: down, pointermove: move, contextmenu: noMenu } as const
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener as EventListener)
    const ends = ['pointerup', 'pointercancel', 'scroll']
    for (const name of ends) element.addEventListener(name, drop)
    return () => {
      drop()
      for (const [name, listener] of Object.entries(listeners))
        element.removeEventListener(name, listener as EventListener)
      for (const name of ends) element.removeEventListener(name, drop)
    }
  }, [box])
}
