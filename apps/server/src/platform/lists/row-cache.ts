import { LRUCache } from 'lru-cache'

/** What a text is written from: another mark, another text. */
export interface Marked<Id> {
  id: Id
  mark: string
}

export interface KeptTexts {
  /**
   * The texts of some rows, in their order. What was written for one answer is sent with the next while its mark is the
   * same; `write` is asked for the others, and who is not among its answers is left out.
   */
  of<Id>(
    rows: Marked<Id>[],
    keyOf: (id: Id) => string,
    write: (missing: Id[]) => Promise<[id: Id, text: string][]>,
  ): Promise<string[]>
}

/** Bytes of an entry beside its characters. */
const BESIDE = 250

/** Keeps the texts used last, as many as fit into so many megabytes. */
export function keepTexts(megabytes: number): KeptTexts {
  const texts = new LRUCache<string, { mark: string; text: string }>({
    maxSize: megabytes * 2 ** 20,
    sizeCalculation: ({ mark, text }, key) => BESIDE + key.length + bytesOf(mark) + bytesOf(text),
  })
  return {
    async of<Id>(
      rows: Marked<Id>[],
      keyOf: (id: Id) => string,
      write: (missing: Id[]) => Promise<[Id, string][]>,
    ) {
      const known = new Map<Id, string>()
      const missing = new Map<Id, string>()
      for (const { id, mark } of rows) {
        const kept = texts.get(keyOf(id))
        if (kept?.mark === mark) known.set(id, kept.text)
        else missing.set(id, mark)
      }
      for (const [id, text] of await write([...missing.keys()])) {
        known.set(id, text)
        texts.set(keyOf(id), { mark: missing.get(id)!, text })
      }
      return rows.flatMap(({ id }) => known.get(id) ?? [])
    },
  }
}

/** A text with a letter outside of Latin needs two bytes per character. */
const bytesOf = (text: string) => (WIDE.test(text) ? 2 : 1) * text.length
const WIDE = /[^\0-\xff]/
