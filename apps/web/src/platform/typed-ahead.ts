import { ofPerson } from './person.ts'

/**
 * Keys typed between a shortcut and the mounting of its field belong to that field: its script may still be
 * loading.
 */
const LONGEST_MS = 5_000

let kept: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined

ofPerson(end)

export const typedAhead = {
  begin() {
    kept = ''
    window.addEventListener('keydown', keep, true)
    clearTimeout(timer)
    timer = setTimeout(end, LONGEST_MS)
  },
  isOn: () => kept !== null,
  /** The field is there: what was struck until now. */
  take(): string {
    const struck = kept ?? ''
    end()
    return struck
  },
}

function keep(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || kept === null) return
  if (event.key === 'Escape') return end()
  if (event.key === 'Backspace') kept = kept.slice(0, -1)
  else if (event.key.length === 1) kept += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

function end() {
  kept = null
  clearTimeout(timer)
  window.removeEventListener('keydown', keep, true)
}
