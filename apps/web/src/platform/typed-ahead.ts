import { ofPerson } from './person.ts'

/**
 * Keys typed between a shortcut and the mounting of its field belong to that field: its script may still be
 * loading.
 */
const LONGEST_MS = 5_000

/** A field whose script takes longer is not shown: the user goes on with something else meanwhile. */
const SOON_MS = 2_000

let kept: string | null = null
/** Enter was struck last. */
let isEntered = false
let timer: ReturnType<typeof setTimeout> | undefined

ofPerson(end)

export const typedAhead = {
  begin(longest = LONGEST_MS) {
    kept = ''
    window.addEventListener('keydown', keep, true)
    clearTimeout(timer)
    timer = setTimeout(end, longest)
  },
  /** Begins; answers whether the field is to be shown: its script came soon, and Escape was not struck meanwhile. */
  during(script: Promise<unknown>): Promise<boolean> {
    typedAhead.begin(SOON_MS)
    return script.then(() => kept !== null, end)
  },
  isOn: () => kept !== null,
  /** The field is there: what was struck until now, and whether Enter was the last of it. */
  take(): { struck: string; isEntered: boolean } {
    const all = { struck: kept ?? '', isEntered }
    end()
    return all
  },
}

function keep(event: KeyboardEvent) {
  const { key } = event
  if (kept === null || event.isComposing) return
  if ((event.ctrlKey || event.metaKey || event.altKey) && key !== 'Enter') return
  if (key === 'Escape') return void end()
  if (key === 'Backspace') kept = kept.slice(0, -1)
  else if (key.length === 1) kept += key
  // nor does the element that still has the focus get these: Enter there may send a message
  else if (!/^(Enter|Tab|Arrow)/.test(key)) return
  isEntered = key === 'Enter'
  event.preventDefault()
  event.stopPropagation()
}

function end(): false {
  kept = null
  isEntered = false
  clearTimeout(timer)
  window.removeEventListener('keydown', keep, true)
  return false
}
