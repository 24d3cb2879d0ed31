import { LRUCache } from 'lru-cache'
import type { Use } from './secretUses.queries.ts'

/** So many secrets, each by call and network, are counted in memory. */
const MOST = 2_000

type CountedUse = Use & { times: number }

/** Counts calls in memory, of what is known to be in the database already. */
export function openUseCounts(most = MOST) {
  const known = new LRUCache<string, true>({ max: most })
  let counted = new Map<string, CountedUse>()
  let isOver = false
  function addTo(key: string, use: CountedUse) {
    const before = counted.get(key)?.times ?? 0
    counted.set(key, { ...use, times: before + use.times })
  }
  return {
    /** False where the call has to be written by itself: the first, beyond the bound, and after the end. */
    add(use: Use): boolean {
      const key = keyOf(use)
      if (isOver || !known.get(key) || (counted.size >= most && !counted.has(key))) return false
      addTo(key, { ...use, times: 1 })
      return true
    },
    /** A call such as this one is written. */
    know: (use: Use) => void known.set(keyOf(use), true),
    /** What was counted since the last time. */
    take(): CountedUse[] {
      const all = [...counted.values()]
      counted = new Map()
      return all
    },
    giveBack(uses: CountedUse[]) {
      // what came meanwhile has the newer name
      for (const use of uses) addTo(keyOf(use), { ...use, name: counted.get(keyOf(use))?.name ?? use.name })
    },
    end() {
      isOver = true
    },
  }
}

const keyOf = ({ companyId, userId, kind, secret, call, network }: Use) =>
  `${companyId} ${userId} ${kind} ${secret} ${call} ${network}`
