import { useEffect, useEffectEvent } from 'react'

/**
 * `alt+1`, `alt+n`, `alt+ArrowUp`: the physical key, so that every layout has it; what each is by default names it, other keys can be
 * chosen. `ctrl+k` is with Command on a Mac. `/` and `?`: the sign, wherever it is.
 */
export type Shortcut = `alt+${string}` | 'ctrl+alt+n' | 'ctrl+k' | '/' | '?'

interface Keys {
  alt: boolean
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
  return {
    alt: parts.includes('alt'),
    ctrl: parts.includes('ctrl'),
    shift: parts.includes('shift'),
    code: codeOf(parts.at(-1)!),
  }
}

const writing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))

export const onMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

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
  const written = /\+.$/.test(shortcut) ? shortcut.toLowerCase() : shortcut
  if (!isOfKeys(written)) return [shortcut]
  const keys = shortcutKeys.of(written)
  const { alt, ctrl, shift } = keysIn(keys)
  const last = keys.split('+').at(-1)!
  const names = onMac()
    ? [...(alt ? ['⌃', '⌥'] : ['⌘']), ...(shift ? ['⇧'] : [])]
    : [...(ctrl ? ['Ctrl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : [])]
  return [...names, ARROWS[last] ?? last.toUpperCase()]
}

/** Other keys can be chosen for it; the others are signs. */
export const isOfKeys = (shortcut: string): boolean => /.\+./.test(shortcut)

export const keysText = (shortcut: string): string => keysShown(shortcut).join(onMac() ? '' : '+')

/**
 * Whether the keys of an event are those of a shortcut. On a Mac Option makes letters (alt+n is the tilde there): in a text field a shortcut needs Control besides, elsewhere it may have it.
 */
export function means(event: KeyboardEvent, shortcut: string): boolean {
  if (!isOfKeys(shortcut))
    return (
      !event.altKey &&
      !event.ctrlKey &&
      !event.metaKey &&
      event.key === shortcut &&
      !writing(event.target) &&
      signShortcuts.areOn()
    )
  const { alt, ctrl, shift, code } = keysIn(shortcutKeys.of(shortcut))
  const { altKey, ctrlKey, metaKey, key } = event
  // browsers take Ctrl and Command by the letter of the layout; Alt may change the letter
  const struck = !alt && /^[a-z]$/i.test(key) ? codeOf(key) : event.code
  if (altKey !== alt || event.shiftKey !== shift || struck !== code) return false
  if (!onMac()) return ctrlKey === ctrl && !metaKey
  return alt ? !metaKey && (ctrlKey || !writing(event.target)) : metaKey && !ctrlKey
}

/** What shortcuts do; one without an act does nothing at present. */
export type Acts = Partial<Record<Shortcut, (() => void) | undefined | false>>

const mountedActs = new Set<() => Acts>()

/** What the shortcuts of the mounted components do at present; for handlers and effects only. */
export const actsNow = () =>
  [...mountedActs].flatMap(acts => Object.entries(acts()).filter(([, act]) => act)) as [
    Shortcut,
    () => void,
  ][]

/** Does what the first of these shortcuts would; answers whether there was one. */
export function actOn(isIt: (shortcut: Shortcut) => boolean): boolean {
  const found = actsNow().find(([shortcut]) => isIt(shortcut))
  found?.[1]()
  return found !== undefined
}

/** Registers shortcuts while the component is mounted. */
export function useShortcuts(shortcuts: Acts) {
  const now = useEffectEvent(() => shortcuts)
  useEffect(() => {
    const acts = () => now()
    mountedActs.add(acts)
    // one for all: what is added already is not added again
    window.addEventListener('keydown', onKey)
    return () => void mountedActs.delete(acts)
  }, [])
}

/** AltGr, input methods and open dialogs are ignored. */
function onKey(event: KeyboardEvent) {
  if (event.repeat || event.defaultPrevented) return
  if (event.isComposing || event.getModifierState('AltGraph')) return
  if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
  if (actOn(shortcut => means(event, shortcut))) event.preventDefault()
}
