import type { CacheStore } from 'baileys'

/** A cache of at most so many entries, the longest untouched go first. It holds no timers. */
export function boundedCache(most: number, keeps: (key: string) => boolean = () => true): CacheStore {
  const entries = new Map<string, unknown>()
  return {
    get: <T>(key: string) => entries.get(key) as T | undefined,
    set(key, value) {
      if (!keeps(key)) return
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > most) entries.delete(entries.keys().next().value!)
    },
    del: key => void entries.delete(key),
    flushAll: () => entries.clear(),
  }
}
