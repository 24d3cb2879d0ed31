import { useEffect, useEffectEvent } from 'react'

/** `alt+1`, `alt+n`, `alt+ArrowUp`: the physical key, so that every layout has it. `/` and `?`: the sign, wherever it is. */
export type Shortcut = `alt+${string}` | '/' | '?'

const codeOf = (shortcut: string) => {
  const key = shortcut.slice('alt+'.length)
  if (key.length > 1) return key
  return /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))

/** Option makes letters on a Mac (alt+n is the tilde there): in a text field it belongs to typing. */
const onMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Single-key shortcuts conflict with speech input: they can be switched off. */
const SIGNS = 'signShortcuts'
export const signShortcuts = {
  areOn: () => localStorage.getItem(SIGNS) !== 'off',
  set: (on: boolean) => localStorage.setItem(SIGNS, on ? 'on' : 'off'),
}

function means(event: KeyboardEvent, shortcut: string): boolean {
  if (shortcut.startsWith('alt+')) {
    if (!event.altKey || event.shiftKey || (onMac && writing(event.target))) return false
    return codeOf(shortcut) === event.code
  }
  return !event.altKey && event.key === shortcut && !writing(event.target) && signShortcuts.areOn()
}

/** Registers shortcuts while the component is mounted; AltGr, input methods and open dialogs are ignored. */
export function useShortcuts(shortcuts: Partial<Record<Shortcut, (() => void) | undefined | false>>) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.repeat || event.defaultPrevented) return
    if (event.isComposing || event.getModifierState('AltGraph')) return
    if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
    for (const [shortcut, act] of Object.entries(shortcuts))
      if (act && means(event, shortcut)) {
        event.preventDefault()
        act()
        return
      }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
