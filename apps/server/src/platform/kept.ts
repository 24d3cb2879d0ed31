import { LRUCache } from 'lru-cache'

/** Texts, each with the mark of what it was written from: another mark, another text. */
export interface KeptTexts {
  /** Undefined for what was never written, not kept, or written from something else. */
  find(key: string, mark: string): string | undefined
  keep(key: string, mark: string, text: string): void
}

const all: { clear(): void }[] = []

/** What one database answered for a while; a process that opens another begins with nothing. */
export function keeping<Key extends {}, Value extends {}>(
  bounds: LRUCache.Options<Key, Value, unknown>,
): LRUCache<Key, Value> {
  const kept = new LRUCache<Key, Value>(bounds)
  all.push(kept)
  return kept
}

export function forgetKept(): void {
  for (const kept of all) kept.clear()
}

/** What a text takes beside its letters. */
const BESIDE = 250

/** Keeps the texts used last, as many as fit into so many megabytes. */
export function keepTexts(megabytes: number): KeptTexts {
  const texts = keeping<string, { mark: string; text: string }>({
    maxSize: megabytes * 2 ** 20,
    sizeCalculation: ({ mark, text }, key) => BESIDE + key.length + bytesOf(mark) + bytesOf(text),
  })
  return {
    find(key, mark) {
      const known = texts.get(key)
      return known?.mark === mark ? known.text : undefined
    },
    keep: (key, mark, text) => void texts.set(key, { mark, text }),
  }
}

/** A text with a letter outside of Latin takes two bytes for each of them. */
const bytesOf = (text: string) => (WIDE.test(text) ? 2 : 1) * text.length
const WIDE = /[^\0-\xff]/
