import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import classes from './hints.module.css'

/** A pointer rests so long before the hint is shown; the keyboard shows it at once. */
const REST_MS = 500
const GAP = 5
const EDGE = 8
const ID = 'hint'

/**
 * Shows `data-hint` of the hovered or focused element, above it or at its `data-hint-side` (right, bottom).
 * One for the whole window: hundreds of buttons have a hint, without a listener each.
 */
export function Hints() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => follow(setTarget), [])
  useLayoutEffect(() => {
    if (!target || !box.current) return
    place(box.current, target)
    if (target.hasAttribute('aria-describedby')) return
    target.setAttribute('aria-describedby', ID)
    return () => target.removeAttribute('aria-describedby')
  }, [target])
  if (!target) return null
  return createPortal(
    <div ref={box} id={ID} role="tooltip" className={classes.hint}>
      {target.dataset.hint}
    </div>,
    document.body,
  )
}

function follow(show: (target: HTMLElement | null) => void): () => void {
  let near: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const away = () => {
    clearTimeout(timer)
    show(null)
  }
  const over = ({ target, pointerType }: PointerEvent) => {
    const hinted = pointerType === 'touch' ? null : hintedAt(target)
    if (hinted === near) return
    near = hinted
    away()
    if (hinted) timer = setTimeout(() => show(hinted.isConnected ? hinted : null), REST_MS)
  }
  const focused = ({ target }: FocusEvent) => {
    const hinted = hintedAt(target)
    if (hinted !== target || !hinted?.matches(':focus-visible')) return
    near = hinted
    clearTimeout(timer)
    show(hinted)
  }
  const blurred = ({ target }: FocusEvent) => {
    if (target !== near) return
    near = null
    away()
  }
  // what is pressed may go away with its focus, and not every browser fires focusout then
  const pressed = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' || key === 'Enter' || key === ' ') away()
  }
  const listeners = [
    ['pointerover', over],
    ['focusin', focused],
    ['focusout', blurred],
    ['keydown', pressed],
    ['pointerdown', away],
    ['scroll', away],
  ] as [string, EventListener][]
  for (const [name, listener] of listeners)
    document.addEventListener(name, listener, { capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    for (const [name, listener] of listeners) document.removeEventListener(name, listener, { capture: true })
  }
}

const hintedAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null

function place(box: HTMLElement, target: HTMLElement) {
  const at = target.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const side = target.dataset.hintSide
  const above = at.top - GAP - height
  const [left, top] =
    side === 'right'
      ? [at.right + 10, at.top + (at.height - height) / 2]
      : side === 'bottom'
        ? [at.left, at.bottom + GAP]
        : [at.left + (at.width - width) / 2, above >= 0 ? above : at.bottom + GAP]
  box.style.left = `${within(left, innerWidth - width)}px`
  box.style.top = `${within(top, innerHeight - height)}px`
}

const within = (at: number, most: number) => Math.max(EDGE, Math.min(at, most - EDGE))
