/** The caches of a browser, in memory, in the order in which their entries were put. */
export function memoryCaches(origin = 'https://balcao.test') {
  const all = new Map<string, Map<string, Response>>()
  const keyOf = (key: RequestInfo | URL) => new URL(key instanceof Request ? key.url : key, origin).href
  const cacheOf = (kept: Map<string, Response>) => ({
    match: async (key: RequestInfo | URL) => kept.get(keyOf(key))?.clone(),
    put: async (key: RequestInfo | URL, answer: Response) => void kept.set(keyOf(key), answer),
    delete: async (key: RequestInfo | URL) => kept.delete(keyOf(key)),
    keys: async () => [...kept.keys()].map(url => new Request(url)),
  })
  return {
    async open(name: string) {
      const kept = all.get(name) ?? new Map<string, Response>()
      all.set(name, kept)
      return cacheOf(kept)
    },
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  }
}
