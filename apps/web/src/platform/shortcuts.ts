import { useEffect, useRef } from 'react'

/** `alt+1`, `alt+n`: the physical key, so that every layout has it. */
export type Shortcut = `alt+${string}`

const codeOf = (shortcut: Shortcut) => {
  const key = shortcut.slice(4)
  return /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea'))

/** Option makes letters on a Mac (alt+n is the tilde there): while somebody writes, it belongs to the writing. */
const onMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Does something on a shortcut while the component stands; AltGr, input methods and open dialogs are left alone. */
export function useShortcuts(shortcuts: Partial<Record<Shortcut, (() => void) | undefined | false>>) {
  const newest = useRef(shortcuts)
  newest.current = shortcuts
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return
      if (event.isComposing || event.getModifierState('AltGraph')) return
      if (onMac && writing(event.target)) return
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
      for (const [shortcut, act] of Object.entries(newest.current))
        if (act && codeOf(shortcut as Shortcut) === event.code) {
          event.preventDefault()
          act()
          return
        }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
