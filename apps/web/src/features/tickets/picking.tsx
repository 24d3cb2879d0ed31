import { type RefObject, useEffect, useRef } from 'react'
import { useStore } from '../../platform/store.ts'
import { picked } from './picked.ts'
import { PickedBar } from './picked-bar.tsx'

const rowAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-ticket]') : null
const idOf = (row: HTMLElement) => Number(row.dataset.ticket)

/**
 * Chooses several rows of a list: a click with Ctrl or Command one more, with Shift all from the last one; Space, Shift with an
 * arrow and Ctrl+A by the keyboard; Esc ends it. While rows are chosen a plain click chooses too.
 */
export default function Picking({ box, ids }: { box: RefObject<HTMLElement | null>; ids: number[] }) {
  const chosen = useStore(picked)
  useEffect(() => () => picked.write(null), [])
  const last = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    if (chosen) last.current = chosen
  }, [chosen])
  const isChoosing = chosen !== null
  useEffect(() => {
    if (!isChoosing) return
    // the bar takes the focus along when it goes
    return () => {
      if (!isHeld(document.activeElement)) focusBeside(box.current, last.current)
    }
  }, [box, isChoosing])
  useEffect(() => {
    const list = box.current
    if (!list) return
    const off = new AbortController()
    list.addEventListener('click', event => onClick(event, ids), { capture: true, signal: off.signal })
    list.addEventListener('keydown', event => onKey(event, ids), { capture: true, signal: off.signal })
    return () => off.abort()
  }, [box, ids])
  return chosen ? <PickedBar ids={[...chosen]} /> : null
}

/** Whether something on the page has the focus, and will keep it. */
const isHeld = (element: Element | null) =>
  element !== null && element !== document.body && !element.closest('[role=dialog], [data-picked-bar]')

/** The row behind the chosen ones, which may leave the list; else the one before them, else the list itself. */
function focusBeside(list: HTMLElement | null, chosen: ReadonlySet<number>) {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-ticket]') ?? [])]
  const place = rows.findLastIndex(row => chosen.has(idOf(row)))
  const others = [...rows.slice(place + 1), ...rows.slice(0, place + 1).reverse()]
  const row = others.find(one => !chosen.has(idOf(one)))
  const next = row ?? list?.closest<HTMLElement>('[data-pane]')
  next?.focus()
}

/** The row from which Shift chooses. */
let from = 0

function toggle(id: number) {
  const now = new Set(picked.read())
  if (!now.delete(id)) now.add(id)
  from = id
  picked.write(now)
}

function addUpTo(id: number, ids: number[]) {
  const ends = [ids.indexOf(from), ids.indexOf(id)]
  if (ends.includes(-1)) return toggle(id)
  picked.write(new Set([...(picked.read() ?? []), ...ids.slice(Math.min(...ends), Math.max(...ends) + 1)]))
}

function onClick(event: MouseEvent, ids: number[]) {
  const row = rowAt(event.target)
  const isWith = event.ctrlKey || event.metaKey
  if (!row || !(isWith || event.shiftKey || picked.read())) return
  event.preventDefault()
  event.stopPropagation()
  if (event.shiftKey && !isWith) addUpTo(idOf(row), ids)
  else toggle(idOf(row))
}

function onKey(event: KeyboardEvent, ids: number[]) {
  const row =
    event.target instanceof Element && event.target.matches('[data-ticket]') ? rowAt(event.target) : null
  const keys = keyOf(event)
  const act =
    row && (keys === 'Escape' ? picked.read() && (() => picked.write(null)) : acts(idOf(row), ids)[keys])
  if (!act) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

const keyOf = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent) =>
  altKey ? '' : `${ctrlKey || metaKey ? 'Ctrl+' : ''}${shiftKey ? 'Shift+' : ''}${key === 'A' ? 'a' : key}`

function acts(id: number, ids: number[]): Record<string, (() => void) | undefined> {
  const step = (by: 1 | -1) => () => {
    const next = ids[ids.indexOf(id) + by]
    if (next === undefined) return
    if (!picked.read()?.has(id)) toggle(id)
    picked.write(new Set([...(picked.read() ?? []), next]))
    document.querySelector<HTMLElement>(`[data-ticket="${next}"]`)?.focus()
  }
  return {
    ' ': () => toggle(id),
    'Shift+ArrowDown': step(1),
    'Shift+ArrowUp': step(-1),
    'Ctrl+a': () => picked.write(new Set(ids)),
  }
}
