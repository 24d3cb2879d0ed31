import type { Clock } from './clock.ts'

/** Meta's limits. False: unlimited. */
export interface LimitOptions {
  /** Messages of one number in a second: 80 unless upgraded to 1,000. */
  perSecond?: number | false
  /** Messages to one person at once; then one every 6 seconds. */
  pairBurst?: number | false
}

const PAIR_REFILL_MS = 6_000

export class Limits {
  #clock: Clock
  #options: Required<LimitOptions>
  #buckets: Map<string, { left: number; at: number }> = new Map()

  constructor(clock: Clock, { perSecond = 80, pairBurst = 45 }: LimitOptions = {}) {
    this.#clock = clock
    this.#options = { perSecond, pairBurst }
  }

  /** The code with which a message is refused now (130429, 131056); undefined lets it pass and counts it. */
  refuses(number: string, recipient: string): number | undefined {
    const { perSecond, pairBurst } = this.#options
    if (perSecond !== false && !this.#take(number, perSecond, 1_000 / perSecond)) return 130429
    const pair = `${number} ${recipient}`
    if (pairBurst !== false && !this.#take(pair, pairBurst, PAIR_REFILL_MS)) return 131056
    return undefined
  }

  #take(name: string, size: number, msEach: number): boolean {
    const now = this.#clock.now()
    const bucket = this.#buckets.get(name) ?? { left: size, at: now }
    const left = Math.min(size, bucket.left + (now - bucket.at) / msEach)
    this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, at: now })
    return left >= 1
  }
}
