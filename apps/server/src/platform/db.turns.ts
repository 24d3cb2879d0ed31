/** Whoever waits longer than this is told that the database is busy, instead of waiting for ever. */
const WAIT_MS = 10_000
const LOOK_MS = 1_000

interface Waiting {
  start(): void
  promised: boolean
  /** When it gives up. */
  until: number
  fail(error: Error): void
}

/** What the platform does for no company in particular waits its turn like one. */
export const NOBODY = 0

/**
 * Shares a few places between companies. One company alone never takes all of them: it may hold as many as twice
 * what it leaves free, so that whoever comes next finds a place; those who hold none may take the last. Who must wait
 * stands behind his own company's people only: the companies are served in turn.
 */
export class Turns {
  #free: number
  readonly #waitMs: number
  readonly #held = new Map<number, number>()
  readonly #queues = new Map<number, Waiting[]>()
  #watch: NodeJS.Timeout | undefined

  constructor(places: number, waitMs = WAIT_MS) {
    this.#free = places
    this.#waitMs = waitMs
  }

  /** Work for a company when its turn has come; what was promised stands before what is asked, and is never refused. */
  async take(company: number, promised = false): Promise<void> {
    if (!this.#queues.has(company) && this.#mayTake(company)) return this.#seat(company)
    return new Promise((start, fail) => {
      const until = promised ? Number.POSITIVE_INFINITY : Date.now() + this.#waitMs
      const waiting = { start, fail, promised, until }
      const queue = this.#queues.get(company)
      if (!queue) this.#queues.set(company, [waiting])
      else if (promised) queue.splice(promisedIn(queue), 0, waiting)
      else queue.push(waiting)
      this.#watch ??= setInterval(() => this.#giveUp(), Math.min(LOOK_MS, this.#waitMs)).unref()
    })
  }

  /** Gives the place back, to whoever is next. */
  leave(company: number): void {
    const held = this.#held.get(company)! - 1
    if (held === 0) this.#held.delete(company)
    else this.#held.set(company, held)
    this.#free++
    this.#callNext()
  }

  #mayTake(company: number) {
    if (this.#free === 0) return false
    const held = this.#held.get(company) ?? 0
    return held === 0 || held + 1 <= 2 * (this.#free - 1)
  }

  #seat(company: number) {
    this.#free--
    this.#held.set(company, (this.#held.get(company) ?? 0) + 1)
  }

  #callNext() {
    for (const [company, queue] of this.#queues) {
      if (this.#free === 0) return
      if (!this.#mayTake(company)) continue
      const { start } = queue.shift()!
      // whoever was served goes behind the other companies
      this.#queues.delete(company)
      if (queue.length > 0) this.#queues.set(company, queue)
      this.#seat(company)
      start()
    }
    if (this.#queues.size === 0) this.#unwatch()
  }

  #giveUp() {
    const now = Date.now()
    for (const [company, queue] of this.#queues) {
      const first = promisedIn(queue)
      while (queue[first] && queue[first].until <= now) queue.splice(first, 1)[0]!.fail(new Busy())
      if (queue.length === 0) this.#queues.delete(company)
    }
    if (this.#queues.size === 0) this.#unwatch()
  }

  #unwatch() {
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

/** How many of a line stand first. */
function promisedIn(queue: Waiting[]): number {
  const asked = queue.findIndex(({ promised }) => !promised)
  return asked < 0 ? queue.length : asked
}

/** Carries PostgreSQL's own code for too many connections: whoever asks may try again later. */
class Busy extends Error {
  readonly code = '53300'
}
