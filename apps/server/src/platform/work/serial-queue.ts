/** Does one piece of work after the other, in the order in which it is asked for. A failure does not block the next. */
export type SerialQueue = <T>(work: () => T | Promise<T>) => Promise<T>

export function openQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

interface Bounds {
  /** So many may wait or be at work, in all and of one caller. */
  all: number
  ofOne: number
  /** Refuses whoever comes behind them. */
  full(): never
}

/** The same with a bound: `caller` says whose work it is. */
export function openBoundedQueue({ all, ofOne, full }: Bounds) {
  const queue = openQueue()
  const waiting = new Map<string, number>()
  let count = 0

  function leave(caller: string) {
    count--
    const left = waiting.get(caller)! - 1
    if (left > 0) waiting.set(caller, left)
    else waiting.delete(caller)
  }

  return async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
    const own = waiting.get(caller) ?? 0
    if (count >= all || own >= ofOne) full()
    count++
    waiting.set(caller, own + 1)
    return queue(work).finally(() => leave(caller))
  }
}
