import { ofPerson } from '../../platform/person.ts'
import { store, useStore } from '../../platform/store.ts'

const KEPT = 'recentSearches'
const MOST = 6

const changes = store(0)
const changed = () => changes.write(changes.read() + 1)

// searches are not shown to the next user of this browser
ofPerson(() => {
  localStorage.removeItem(KEPT)
  changed()
})

const read = () => localStorage.getItem(KEPT) ?? '[]'

/** Searches on this device, the latest first. */
export const recentSearches = {
  add(words: string) {
    if (words === '') return
    const others = (JSON.parse(read()) as string[]).filter(one => one !== words)
    localStorage.setItem(KEPT, JSON.stringify([words, ...others].slice(0, MOST)))
    changed()
  },
  clear() {
    localStorage.removeItem(KEPT)
    changed()
  },
}

export const useRecentSearches = (): string[] => JSON.parse(useStore(changes, read)) as string[]
