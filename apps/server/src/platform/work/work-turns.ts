/**
 * The turns of companies in background work: which company is served next, and how many pieces of one are under way at
 * once. One for each kind of work in a process; jobs, due rows and webhook deliveries all ask it.
 */
export interface WorkTurns<Key = number> {
  /**
   * The company to be served next, of those that wait: the one with the fewest pieces under way, of equals the one that
   * was served the longest ago. Null where none of them may begin a piece now.
   */
  next(waiting: Iterable<Key>): Key | null
  /** A piece of the company begins. */
  take(company: Key): void
  /** A piece of the company ended. */
  release(company: Key): void
}

/** So many companies are remembered as served; one that is forgotten comes first again. */
const REMEMBERED = 10_000

/**
 * `all` pieces at once, and `ofOne` of a company. A company never has more of them than it leaves free, except one: the
 * next company finds a place also where several have much to do.
 */
export function openWorkTurns<Key = number>({ all, ofOne }: { all: number; ofOne: number }): WorkTurns<Key> {
  const held = new Map<Key, number>()
  /** In the order in which they were last served. */
  const served = new Map<Key, number>()
  let [count, turn] = [0, 0]

  function mayBegin(company: Key): boolean {
    const own = held.get(company) ?? 0
    const free = all - count
    return own === 0 ? free > 0 : own < ofOne && own < free
  }
  const rank = (company: Key) => [held.get(company) ?? 0, served.get(company) ?? 0] as const

  return {
    next(waiting) {
      let first: Key | null = null
      for (const company of waiting) {
        if (!mayBegin(company)) continue
        if (first === null || isBefore(rank(company), rank(first))) first = company
      }
      return first
    },
    take(company) {
      count++
      held.set(company, (held.get(company) ?? 0) + 1)
      served.delete(company)
      served.set(company, ++turn)
      if (served.size > REMEMBERED) served.delete(served.keys().next().value!)
    },
    release(company) {
      count--
      const left = held.get(company)! - 1
      if (left === 0) held.delete(company)
      else held.set(company, left)
    },
  }
}

type Rank = readonly [held: number, served: number]

const isBefore = (one: Rank, other: Rank) => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])
