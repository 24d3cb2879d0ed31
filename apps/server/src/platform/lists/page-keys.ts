import { PAGE, type PageQuery } from '@balcao/contract/kit.ts'
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

/** From where a page is read: behind a row, and so many further. */
export interface PageStart<Key> {
  after: Key | null
  offset: number
  limit: number
}

/** One page of a list in the order of its keys. `list` names it with its filter. */
export async function keyedPage<Row, Key>(
  keys: PageKeys<Key>,
  list: string,
  { pageNumber = 1 }: Pick<PageQuery, 'pageNumber'>,
  { read, keyOf }: { read(start: PageStart<Key>): PromiseLike<Row[]>; keyOf(row: Row): Key },
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const exact = keys.start(list, pageNumber)
  const known = exact === undefined ? keys.nearest(list, pageNumber) : { page: pageNumber, key: exact }
  const skipped = (pageNumber - (known?.page ?? 1)) * PAGE
  // with the row before the page, which is where it starts the next time
  const before = skipped > 0 ? 1 : 0
  const found = await read({
    after: known?.key ?? null,
    offset: skipped - before,
    limit: before + PAGE + 1,
  })
  const [rows, hasMore] = [found.slice(before, before + PAGE), found.length > before + PAGE]
  if (before && rows.length > 0) keys.remember(list, pageNumber, keyOf(found[0]!))
  if (hasMore) keys.remember(list, pageNumber + 1, keyOf(rows.at(-1)!))
  return { rows, hasMore }
}
