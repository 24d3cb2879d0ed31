import { LRUCache } from 'lru-cache'

/** Where pages begin: `pageNumber` outside, the last row of the page before inside. */
export interface PageKeys<Key> {
  /** The row after which a page starts, when the page before it was served here a moment ago. */
  start(list: string, page: number): Key | undefined
  remember(list: string, page: number, key: Key): void
}

const KEPT = 20_000
const KEPT_MS = 60_000

/**
 * Remembers where the next page of a list starts. Reading on from the last row seen costs the same on every page
 * and neither skips nor repeats a row when the list grows in between. A page nobody led to is reached by skipping.
 */
export function pageKeys<Key>(): PageKeys<Key> {
  const known = new LRUCache<string, { key: Key }>({ max: KEPT, ttl: KEPT_MS })
  return {
    start: (list, page) => known.get(`${page} ${list}`)?.key,
    remember: (list, page, key) => void known.set(`${page} ${list}`, { key }),
  }
}
