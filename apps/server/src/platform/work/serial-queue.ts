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
