import { drafts } from '../../../platform/drafts.ts'
import { ofPerson } from '../../../platform/person.ts'

/**
 * Keys pressed between the choice of a conversation and its drawing belong to the chosen one. The address changes with the click;
 * the previous conversation stays on the screen until the next is ready, on a slow computer for several tenths of a second.
 */

/** The ticket that the address names, which is ahead of what is drawn; null on other screens. */
export function chosenTicket(): number | null {
  const id = /^\/tickets\/(\d+)\/?$/i.exec(window.location.pathname)?.[1]
  return id === undefined ? null : Number(id)
}

/** The ticket whose conversation takes keys by itself. */
let drawn: number | null = null
/** Where the caret stands in the draft of a ticket. */
const carets = new Map<number, number>()

/** Tickets in whose drafts something was written before they were drawn. */
const written = new Set<number>()

ofPerson(() => {
  carets.clear()
  written.clear()
})

/** Where the caret was left in a ticket's draft; its end where it is not known, as after a reload. */
export function caretOf(ticketId: number): number {
  const { length } = textOf(ticketId)
  return Math.min(carets.get(ticketId) ?? length, length)
}

/** What the composer of a ticket shows: keys that come early are of the face that it has. */
const textOf = (ticketId: number) =>
  drafts.writesNotes(ticketId) ? drafts.note(ticketId) : drafts.read(ticketId)
const keepText = (ticketId: number, text: string) =>
  drafts.writesNotes(ticketId) ? drafts.keepNote(ticketId, text) : drafts.keep(ticketId, text)

export const keepCaret = (ticketId: number, at: number): void => void carets.set(ticketId, at)
/** The draft was sent: what is written next begins anew. */
export const forgetCaret = (ticketId: number): void => void carets.delete(ticketId)

/** The conversation is drawn, or says why it is not: from here on its own elements take the keys. Returns the end of that. */
export function takesKeys(ticketId: number): () => void {
  drawn = ticketId
  written.delete(ticketId)
  return () => {
    if (drawn === ticketId) drawn = null
  }
}

/** The field of the drawn conversation is not loaded yet: its keys are kept as before it was drawn. Returns the end of that. */
export function awaitsField(): () => void {
  const before = drawn
  drawn = null
  return () => {
    drawn ??= before
  }
}

/**
 * While the address names a conversation that is not drawn, its keys go to its draft, and Enter calls `send`, which may leave the
 * draft as it is. Returns the end of listening.
 */
export function watchKeys(send: (ticketId: number) => void): () => void {
  const keys = (event: KeyboardEvent) => {
    focusOpened(event)
    const ticketId = waitsFor(event)
    if (ticketId === null || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      // a second or a held Enter on a row is no order to send a draft of earlier
      if (written.has(ticketId) && !event.repeat) send(ticketId)
    } else if (!press(ticketId, event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const paste = (event: ClipboardEvent) => {
    const ticketId = waitsFor(event)
    if (ticketId === null) return
    event.preventDefault()
    event.stopPropagation()
    insert(ticketId, event.clipboardData?.getData('text/plain') ?? '')
  }
  // of an input method: its first letters would stay in the previous conversation
  const input = (event: Event) => {
    if (waitsFor(event) !== null) event.preventDefault()
  }
  window.addEventListener('keydown', keys, true)
  window.addEventListener('paste', paste, true)
  window.addEventListener('beforeinput', input, true)
  return () => {
    window.removeEventListener('keydown', keys, true)
    window.removeEventListener('paste', paste, true)
    window.removeEventListener('beforeinput', input, true)
  }
}

/** Letters typed on the row of the conversation that is open, as after a second click on it, are written in its field. */
function focusOpened({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  if (ctrlKey || metaKey || altKey || [...key].length !== 1 || key === ' ' || key === '/' || key === '?')
    return
  if (!(target instanceof HTMLElement) || Number(target.dataset.ticket ?? Number.NaN) !== drawn) return
  document.querySelector<HTMLElement>('[data-pane="conversation"] textarea')?.focus({ preventScroll: true })
}

/** The chosen ticket that is not drawn, where this event would reach the previous conversation, a row, or nothing. */
function waitsFor({ target }: Event): number | null {
  const chosen = chosenTicket()
  if (chosen === null || chosen === drawn) return null
  const isElsewhere =
    target instanceof Element &&
    target !== document.body &&
    !target.closest('[data-pane="conversation"], [data-ticket]') &&
    target.getAttribute('data-pane') !== 'list'
  return isElsewhere ? null : chosen
}

/** Answers whether the key is one of a text. */
function press(ticketId: number, { key }: KeyboardEvent): boolean {
  // keys that act on a row, before anything is written
  if (!written.has(ticketId) && [' ', 'Backspace', 'Enter'].includes(key)) return true
  if (key === 'Enter') insert(ticketId, '\n')
  else if (key === 'Backspace') erase(ticketId)
  else if ([...key].length === 1) insert(ticketId, key)
  else return false
  return true
}

function insert(ticketId: number, text: string) {
  written.add(ticketId)
  const body = textOf(ticketId)
  const at = caretOf(ticketId)
  keepText(ticketId, body.slice(0, at) + text + body.slice(at))
  carets.set(ticketId, at + text.length)
}

function erase(ticketId: number) {
  const body = textOf(ticketId)
  const at = caretOf(ticketId)
  const before = [...body.slice(0, at)].slice(0, -1).join('')
  keepText(ticketId, before + body.slice(at))
  carets.set(ticketId, before.length)
}
