import { isConnectionFailure, isLockHeld } from '../errors.ts'
import { sharedTrace, traced, traceNow } from '../observe/trace.ts'

/** More at once would make one commit so long that others wait for its locks. */
const MOST = 100

interface Waiting<Item, Answer> {
  item: Item
  trace: string | undefined
  done(answer: Answer): void
  failed(error: unknown): void
}

/**
 * Group commit: a commit costs more than its content, so items that come while other work of this kind is under way are done
 * with the next, in one piece. `work` answers in the order of its items. When a piece fails, each of it is tried by
 * itself, so that one does not spoil the others: one after the other or, where one may wait for long for a lock, those of one
 * key `apart` from the others, and nothing waits for them. `isAlone`: the last try. Where the connection was lost all fail: the
 * piece may be stored, and whoever asked decides whether it is done again.
 */
export function batching<Item, Answer>(
  work: (items: Item[], isAlone: boolean) => Promise<Answer[]>,
  { most = MOST, apart }: { most?: number; apart?: (item: Item) => unknown } = {},
): (item: Item) => Promise<Answer> {
  const queue: Waiting<Item, Answer>[] = []
  let working = false

  async function workThrough() {
    while (queue.length > 0) {
      const some = queue.splice(0, most)
      await settle(some, !apart && some.length === 1)
    }
    working = false
  }

  async function settle(some: Waiting<Item, Answer>[], isAlone: boolean): Promise<void> {
    try {
      const trace = sharedTrace(some.map(one => one.trace))
      const answers = await traced(trace, () =>
        work(
          some.map(({ item }) => item),
          isAlone,
        ),
      )
      for (const [at, { done }] of some.entries()) done(answers[at]!)
    } catch (error) {
      if (isConnectionFailure(error)) return some.forEach(one => void one.failed(error))
      if (isAlone || (some.length === 1 && !isLockHeld(error))) return some[0]!.failed(error)
      if (!apart) return inTurn(some)
      for (const [key, own] of Map.groupBy(some, ({ item }) => apart(item))) behind(key, own)
    }
  }

  async function inTurn(some: Waiting<Item, Answer>[]): Promise<void> {
    for (const one of some) await settle([one], true)
  }

  /** What of a key is being tried by itself; later items of it wait behind that. */
  const late = new Map<unknown, Promise<void>>()
  function behind(key: unknown, some: Waiting<Item, Answer>[]) {
    const turn = (late.get(key) ?? Promise.resolve()).then(() => inTurn(some))
    late.set(key, turn)
    void turn.then(() => {
      if (late.get(key) === turn) late.delete(key)
    })
  }

  return item =>
    new Promise((done, failed) => {
      const one = { item, trace: traceNow(), done, failed }
      if (apart && late.has(apart(item))) return behind(apart(item), [one])
      queue.push(one)
      if (working) return
      working = true
      // what is asked for in the same turn of the loop belongs together
      setImmediate(workThrough)
    })
}
