import { openWorkTurns } from './work-turns.ts'

/** Does a piece of work when it is its company's turn. */
export type InTurn = <T>(company: number, work: () => Promise<T>) => Promise<T>

/** Pieces that several parts of a process ask for at the same time: `all` at once, `ofOne` of a company; see `openWorkTurns`. */
export function openInTurn(bounds: { all: number; ofOne: number }): InTurn {
  const turns = openWorkTurns(bounds)
  /** In the order in which they came, by company. */
  const waiting = new Map<number, (() => void)[]>()

  function fill() {
    for (let company = turns.next(waiting.keys()); company !== null; company = turns.next(waiting.keys())) {
      const queue = waiting.get(company)!
      const begin = queue.shift()!
      if (queue.length === 0) waiting.delete(company)
      turns.take(company)
      begin()
    }
  }

  return async (company, work) => {
    await new Promise<void>(begin => {
      const queue = waiting.get(company) ?? []
      waiting.set(company, queue)
      queue.push(begin)
      fill()
    })
    try {
      return await work()
    } finally {
      turns.release(company)
      fill()
    }
  }
}
