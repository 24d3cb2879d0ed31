/** Chance that is the same on every run with the same seed: the ids, the order of a shuffle. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, less than the limit. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  /** Digits as in Graph's ids; never a leading zero. */
  digits(count: number): string {
    return this.#letters('0123456789', count).replace(/^0/, '1')
  }

  hex(count: number): string {
    return this.#letters('0123456789ABCDEF', count)
  }

  token(count: number): string {
    return this.#letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', count)
  }

  shuffled<T>(list: T[]): T[] {
    const left = [...list]
    return list.map(() => left.splice(this.below(left.length), 1)[0]!)
  }

  #letters(alphabet: string, count: number) {
    return Array.from({ length: count }, () => alphabet[this.below(alphabet.length)]).join('')
  }

  /** Mulberry32, Tommy Ettinger's public-domain generator. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
