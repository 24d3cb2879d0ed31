/** Whoever waits longer (ms) is refused as busy, instead of waiting for ever. */
const WAIT_MS = 10_000
const LOOK_MS = 1_000

/** A company; or what else takes turns, by its name. */
type Key = number | string

/** A slot that is in use, and since when. */
export interface HeldSlot<Of extends Key = number> {
  company: Of
  at: number
}

interface Waiting<Of extends Key> {
  start(slot: HeldSlot<Of>): void
  promised: boolean
  /** When it gives up. */
  until: number
  fail(error: Error): void
}

interface Came<Of extends Key> {
  company: Of
  at: number
}

/** The turn of work for no company: it waits like a company. */
export const PLATFORM_WORK = 0

/** A company with a queue this old asks for more than it can get; another company that came within this time is active. */
const LONG_MS = 1_000
/**
 * How many slots a company with such a queue has while another is active: with few processors more slots would not make
 * it faster, but the other slower, at the database and in this process. A slot that is held for long does not count: a
 * report that runs for minutes must not block the company.
 */
const CROWDED = 2

interface TurnLimits {
  waitMs: number
  /** So many wait of one company; the next is refused. Promised work is not counted. */
  most: number
  /** A company whose queue is this old is crowded (ms). */
  crowdedMs: number
  now: () => number
}

/**
 * Shares a few slots (connections) between companies. One company never has all of them: it may hold at most twice what
 * it leaves free, so that the next company finds a slot; a company that holds none may have the last. Callers wait in a
 * queue of their own company, and the companies are served in turn (round robin). A company whose queue does not empty
 * gets fewer slots while others are active.
 */
export class Turns<Of extends Key = number> {
  #free: number
  readonly #limits: TurnLimits
  readonly #held = new Map<Of, Set<HeldSlot<Of>>>()
  readonly #queues = new Map<Of, Waiting<Of>[]>()
  /** Since when the company has a queue. */
  readonly #since = new Map<Of, number>()
  /** The last caller's company, and the last other company before it. */
  #came: Came<Of>[] = []
  #watch: NodeJS.Timeout | undefined

  constructor(
    slots: number,
    {
      waitMs = WAIT_MS,
      most = Number.POSITIVE_INFINITY,
      crowdedMs = LONG_MS,
      now = () => performance.now(),
    }: Partial<TurnLimits> = {},
  ) {
    this.#free = slots
    this.#limits = { waitMs, most, crowdedMs, now }
  }

  /** How many wait for their turn. */
  waiting(): number {
    let count = 0
    for (const queue of this.#queues.values()) count += queue.length
    return count
  }

  /** Resolves when the company's turn has come. Promised work precedes requests and is never refused; requests throw Busy. */
  async acquire(company: Of, promised = false): Promise<HeldSlot<Of>> {
    this.#note(company)
    if (!this.#queues.has(company) && this.#mayAcquire(company)) return this.#assign(company)
    if (!promised && (this.#queues.get(company)?.length ?? 0) >= this.#limits.most) throw new Busy()
    return new Promise((start, fail) => {
      const until = promised ? Number.POSITIVE_INFINITY : performance.now() + this.#limits.waitMs
      const waiting = { start, fail, promised, until }
      const queue = this.#queues.get(company)
      if (!queue) {
        this.#queues.set(company, [waiting])
        this.#since.set(company, this.#limits.now())
      } else if (promised) queue.splice(promisedIn(queue), 0, waiting)
      else queue.push(waiting)
      this.#watch ??= setInterval(() => this.#look(), Math.min(LOOK_MS, this.#limits.waitMs)).unref()
    })
  }

  /** Gives the slot back, to the next in turn. */
  release(slot: HeldSlot<Of>): void {
    const held = this.#held.get(slot.company)
    if (!held?.delete(slot)) return
    if (held.size === 0) this.#held.delete(slot.company)
    this.#free++
    this.#startNext()
  }

  #mayAcquire(company: Of) {
    if (this.#free === 0) return false
    const held = this.#held.get(company)
    if (!held) return true
    if (held.size + 1 > 2 * (this.#free - 1)) return false
    return this.#shortOf(held) < CROWDED || !this.#isCrowdBesideOthers(company)
  }

  /** How many of them are held for a short time. */
  #shortOf(held: Set<HeldSlot<Of>>) {
    const before = this.#limits.now() - LONG_MS
    let short = 0
    for (const { at } of held) if (at > before) short++
    return short
  }

  #isCrowdBesideOthers(company: Of) {
    const { now, crowdedMs } = this.#limits
    if ((this.#since.get(company) ?? Number.POSITIVE_INFINITY) > now() - crowdedMs) return false
    const before = now() - LONG_MS
    return this.#came.some(other => other.company !== company && other.at > before)
  }

  /** Work for no company does not count as another active company. */
  #note(company: Of) {
    if (company === PLATFORM_WORK) return
    const [last] = this.#came
    if (last?.company === company) last.at = this.#limits.now()
    else this.#came = [{ company, at: this.#limits.now() }, ...(last ? [last] : [])]
  }

  #assign(company: Of): HeldSlot<Of> {
    this.#free--
    const slot = { company, at: this.#limits.now() }
    const held = this.#held.get(company)
    if (held) held.add(slot)
    else this.#held.set(company, new Set([slot]))
    return slot
  }

  #startNext() {
    for (const [company, queue] of this.#queues) {
      if (this.#free === 0) return
      if (!this.#mayAcquire(company)) continue
      const { start } = queue.shift()!
      // a company that was served goes behind the others
      this.#queues.delete(company)
      if (queue.length > 0) this.#queues.set(company, queue)
      else this.#since.delete(company)
      start(this.#assign(company))
    }
    if (this.#queues.size === 0) this.#unwatch()
  }

  /** A slot may become available by the passing of time alone. */
  #look() {
    this.#giveUp()
    this.#startNext()
  }

  #giveUp() {
    const now = performance.now()
    for (const [company, queue] of this.#queues) {
      const first = promisedIn(queue)
      while (queue[first] && queue[first].until <= now) queue.splice(first, 1)[0]!.fail(new Busy())
      if (queue.length > 0) continue
      this.#queues.delete(company)
      this.#since.delete(company)
    }
  }

  #unwatch() {
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

/** How many of a queue are promised; they come first. */
function promisedIn<Of extends Key>(queue: Waiting<Of>[]): number {
  const asked = queue.findIndex(({ promised }) => !promised)
  return asked < 0 ? queue.length : asked
}

/** Carries PostgreSQL's own code for too many connections: the caller may try again later. */
class Busy extends Error {
  readonly code = '53300'
}
