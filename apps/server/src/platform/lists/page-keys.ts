import { LRUCache } from 'lru-cache'
import { perProduct } from '../memory.ts'

/** Where pages begin: `pageNumber` outside, the last row of the page before inside. */
export interface PageKeys<Key> {
  /** The row after which a page starts, when the page before it was served here a moment ago. */
  start(list: string, page: number): Key | undefined
  /** The same of the nearest page before it that is known: only what lies between has to be skipped. */
  nearest(list: string, page: number): { page: number; key: Key } | undefined
  remember(list: string, page: number, key: Key): void
}

const KEPT = 20_000
const KEPT_MS = 60_000
/** Further back is not looked: as many rows are skipped as fast. */
const NEAR = 200

/**
 * Remembers where the next page of a list starts. Reading on from the last row seen costs the same on every page
 * and neither skips nor repeats a row when the list grows in between. A page without a known predecessor is reached by offset.
 */
// memory is kept by function: each list has one of its own
export const pageKeysOf = <Key>() => perProduct(() => openPageKeys<Key>())

function openPageKeys<Key>(): PageKeys<Key> {
  const known = new LRUCache<string, { key: Key }>({ max: KEPT, ttl: KEPT_MS })
  const start = (list: string, page: number) => known.get(`${page} ${list}`)?.key
  return {
    start,
    nearest(list, page) {
      for (let before = page - 1; before > 1 && before >= page - NEAR; before--) {
        const key = start(list, before)
        if (key !== undefined) return { page: before, key }
      }
      return undefined
    },
    remember: (list, page, key) => void known.set(`${page} ${list}`, { key }),
  }
}
