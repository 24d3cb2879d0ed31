import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

/** Whether a list is being used: the pointer moves over its area, or the keyboard walks through it. */
export function useListInUse() {
  const area = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState(false)
  const [walked, setWalked] = useState(false)
  // typing elsewhere counts as not using the list, wherever the pointer rests
  useEffect(() => {
    if (!pointed) return
    const away = (event: KeyboardEvent) => {
      if (!area.current?.contains(event.target as Node)) setPointed(false)
    }
    document.addEventListener('keydown', away)
    return () => document.removeEventListener('keydown', away)
  }, [pointed])
  const over = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setPointed(true)
  return {
    area,
    held: pointed || walked,
    release() {
      setPointed(false)
      setWalked(false)
    },
    watch: {
      onPointerMove: over,
      onPointerLeave: () => setPointed(false),
      onFocus: ({ target }: FocusEvent) => setWalked(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setWalked(false)
      },
    },
  }
}
