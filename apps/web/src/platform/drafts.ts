import { useCallback, useSyncExternalStore } from 'react'

const PREFIX = 'draft:'
const watchers = new Set<() => void>()

const tell = () => {
  for (const watcher of watchers) watcher()
}
window.addEventListener('storage', event => {
  if (event.key === null || event.key.startsWith(PREFIX)) tell()
})

/** Unsent words of a ticket, kept in this browser. What was sent never comes back: it is dropped before it leaves. */
export const drafts = {
  read: (ticketId: number) => localStorage.getItem(PREFIX + ticketId) ?? '',
  keep(ticketId: number, body: string) {
    if (body.trim() === '') localStorage.removeItem(PREFIX + ticketId)
    else localStorage.setItem(PREFIX + ticketId, body)
    tell()
  },
  drop(ticketId: number) {
    localStorage.removeItem(PREFIX + ticketId)
    tell()
  },
}

export function useDraft(ticketId: number): string {
  const subscribe = useCallback((watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }, [])
  return useSyncExternalStore(subscribe, () => drafts.read(ticketId))
}
