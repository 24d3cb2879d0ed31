import type { CacheStore } from 'baileys'
import { LRUCache } from 'lru-cache'

/** A cache as Baileys asks for one: of at most so many entries, the longest unused go first. It holds no timers. */
export function boundedCache(most: number, keeps: (key: string) => boolean = () => true): CacheStore {
  const entries = new LRUCache<string, NonNullable<unknown>>({ max: most })
  return {
    get: <T>(key: string) => entries.get(key) as T | undefined,
    set: (key, value) => void (keeps(key) && entries.set(key, value as NonNullable<unknown>)),
    del: key => void entries.delete(key),
    flushAll: () => entries.clear(),
  }
}
