import { ofPerson } from './person.ts'
import { store } from './store.ts'

export interface Action {
  label: string
  act(): void
}

export interface Notice<Text = unknown> {
  id: string
  tone: 'success' | 'info' | 'warning' | 'error'
  text: Text
  icon: Text
  actions: Action[]
  /** How long it is there (ms); null until it is closed. */
  lastsMs: number | null
}

/** Maximum shown at once. */
const MOST = 2

/** All notices that are not over, oldest first. */
const all = store<readonly Notice[]>([])
const timers = new Map<string, ReturnType<typeof setTimeout>>()

export const notices = {
  all,
  /** Replaced rather than changed: its time restarts. */
  show(notice: Notice) {
    notices.hide(notice.id)
    all.write([...all.read(), notice])
    begin(notice)
  },
  hide(id: string) {
    clearTimeout(timers.get(id))
    timers.delete(id)
    if (all.read().some(one => one.id === id)) all.write(all.read().filter(one => one.id !== id))
  },
  /** The time is stopped while the pointer or focus is on them, and restarts when it leaves. */
  hold() {
    for (const timer of timers.values()) clearTimeout(timer)
  },
  release() {
    for (const notice of all.read()) begin(notice)
  },
  clear() {
    for (const { id } of all.read()) notices.hide(id)
  },
}

ofPerson(notices.clear)

function begin({ id, lastsMs }: Notice) {
  clearTimeout(timers.get(id))
  if (lastsMs !== null)
    timers.set(
      id,
      setTimeout(() => notices.hide(id), lastsMs),
    )
}

/**
 * The shown ones, oldest first. There is no queue: refusals and what can be undone come before others, newer
 * before older. A timed notice expires, seen or not; one that stays until it is closed comes back when there
 * is room.
 */
export function shownOf(all: readonly Notice[]): readonly Notice[] {
  const passes = (one: Notice) => one.lastsMs !== null && (one.tone === 'error' || one.actions.length > 0)
  const newestFirst = all.toReversed()
  const shown = [...newestFirst.filter(passes), ...newestFirst.filter(one => !passes(one))].slice(0, MOST)
  return all.filter(one => shown.includes(one))
}
