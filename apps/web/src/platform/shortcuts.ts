import { useEffect, useEffectEvent } from 'react'

/**
 * `alt+1`, `alt+n`, `alt+ArrowUp`: the physical key, so that every layout has it; what each is by default names it, other keys can be
 * chosen. `/` and `?`: the sign, wherever it is.
 */
export type Shortcut = `alt+${string}` | '/' | '?'

interface Keys {
  ctrl: boolean
  shift: boolean
  /** As `KeyboardEvent.code`. */
  code: string
}

const codeOf = (key: string) => {
  if (key.length > 1) return key
  return /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
}

const keysIn = (written: string): Keys => {
  const parts = written.split('+')
  return { ctrl: parts.includes('ctrl'), shift: parts.includes('shift'), code: codeOf(parts.at(-1)!) }
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))

const onMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** Single-key shortcuts conflict with speech input: they can be switched off. */
const SIGNS = 'signShortcuts'
export const signShortcuts = {
  areOn: () => localStorage.getItem(SIGNS) !== 'off',
  set: (on: boolean) => localStorage.setItem(SIGNS, on ? 'on' : 'off'),
}

/** Keys that were chosen on this device, by the shortcut that they replace. */
const CHOSEN = 'shortcuts'
const chosen = () => JSON.parse(localStorage.getItem(CHOSEN) ?? '{}') as Record<string, string>

/** Keys of the browser, of Windows and of others: a page does not get them, or takes them from everybody. */
const TAKEN = new Set(['alt+d', 'alt+e', 'alt+f', 'alt+ArrowLeft', 'alt+ArrowRight', 'alt+F4'])

export const shortcutKeys = {
  of: (shortcut: string): string => chosen()[shortcut] ?? shortcut,
  areChanged: () => Object.keys(chosen()).length > 0,
  choose: (shortcut: string, keys: string) =>
    localStorage.setItem(CHOSEN, JSON.stringify({ ...chosen(), [shortcut]: keys })),
  reset: () => localStorage.removeItem(CHOSEN),
  /** The keys of an event as they are kept; null while only Alt is held, or where they are none for a shortcut. */
  pressed({ altKey, ctrlKey, shiftKey, metaKey, code }: KeyboardEvent): string | null {
    const key = /^(?:Key([A-Z])|Digit(\d)|(Arrow\w+|F\d{1,2}))$/.exec(code)
    if (!altKey || metaKey || !key) return null
    const name = key[1]?.toLowerCase() ?? key[2] ?? key[3]!
    // on a Mac Control stands before Option in any case
    return `${ctrlKey && !onMac() ? 'ctrl+' : ''}alt+${shiftKey ? 'shift+' : ''}${name}`
  },
  isTaken: (keys: string) => TAKEN.has(keys),
}

const ARROWS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }

/** The keys of a shortcut as they are printed: Alt, 1. Others (Enter, Esc) are as they are. */
export function keysShown(shortcut: string): string[] {
  const written = /^alt\+.$/i.test(shortcut) ? shortcut.toLowerCase() : shortcut
  if (!written.startsWith('alt+')) return [shortcut]
  const keys = shortcutKeys.of(written)
  const { ctrl, shift } = keysIn(keys)
  const last = keys.split('+').at(-1)!
  const names = onMac()
    ? ['⌃', '⌥', ...(shift ? ['⇧'] : [])]
    : [...(ctrl ? ['Ctrl'] : []), 'Alt', ...(shift ? ['Shift'] : [])]
  return [...names, ARROWS[last] ?? last.toUpperCase()]
}

export const keysText = (shortcut: string): string => keysShown(shortcut).join(onMac() ? '' : '+')

/**
 * On a Mac Option makes letters (alt+n is the tilde there): in a text field a shortcut needs Control besides, elsewhere it may have it.
 */
function means(event: KeyboardEvent, shortcut: string): boolean {
  if (!shortcut.startsWith('alt+'))
    return (
      !event.altKey &&
      !event.ctrlKey &&
      event.key === shortcut &&
      !writing(event.target) &&
      signShortcuts.areOn()
    )
  const { ctrl, shift, code } = keysIn(shortcutKeys.of(shortcut))
  if (!event.altKey || event.shiftKey !== shift || event.code !== code) return false
  return onMac() ? event.ctrlKey || !writing(event.target) : event.ctrlKey === ctrl
}

/** Registers shortcuts while the component is mounted; AltGr, input methods and open dialogs are ignored. */
export function useShortcuts(shortcuts: Partial<Record<Shortcut, (() => void) | undefined | false>>) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.repeat || event.defaultPrevented) return
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
