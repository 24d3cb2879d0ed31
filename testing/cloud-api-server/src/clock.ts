interface Timer {
  at: number
  run: () => unknown
}

const LONGEST_TIMEOUT = 2 ** 31 - 1

/**
 * The time of the platform. It follows the machine's clock or is fixed at a moment; moving it forward runs timers that
 * fall due, in order.
 */
export class Clock {
  /** Undefined where the time runs. */
  #stands: number | undefined
  #ahead = 0
  #timers: Timer[] = []
  #alarm: NodeJS.Timeout | undefined
  #tell: (error: Error) => void

  constructor(tell: (error: Error) => void, standsAt?: Date) {
    this.#tell = tell
    this.#stands = standsAt?.getTime()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#stands ?? Date.now() + this.#ahead
  }

  /** Whole seconds since 1970, as Graph writes moments. */
  seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  /** Moves the time forward and waits for everything that fell due. */
  async advance(ms: number): Promise<void> {
    const target = this.now() + ms
    for (let timer = this.#next(target); timer; timer = this.#next(target)) {
      this.#moveTo(timer.at)
      this.#take(timer)
      await timer.run()
    }
    this.#moveTo(target)
    this.#arm()
  }

  /** Schedules a timer in this clock's time. Returns its cancel function. */
  after(ms: number, run: () => unknown): () => void {
    const timer = { at: this.now() + ms, run }
    this.#timers.push(timer)
    this.#timers.sort((one, other) => one.at - other.at)
    this.#arm()
    return () => this.#take(timer)
  }

  close(): void {
    this.#timers = []
    clearTimeout(this.#alarm)
  }

  #next(until: number): Timer | undefined {
    const first = this.#timers[0]
    return first && first.at <= until ? first : undefined
  }

  #take(timer: Timer) {
    this.#timers = this.#timers.filter(one => one !== timer)
  }

  #moveTo(moment: number) {
    if (moment <= this.now()) return
    if (this.#stands === undefined) this.#ahead += moment - this.now()
    else this.#stands = moment
  }

  /** Where the time runs, what falls due fires by itself. */
  #arm() {
    clearTimeout(this.#alarm)
    const first = this.#timers[0]
    if (this.#stands !== undefined || !first) return
    const wait = Math.min(Math.max(first.at - this.now(), 0), LONGEST_TIMEOUT)
    this.#alarm = setTimeout(() => this.#fire(), wait)
    this.#alarm.unref()
  }

  #fire() {
    for (let timer = this.#next(this.now()); timer; timer = this.#next(this.now())) {
      this.#take(timer)
      Promise.resolve(timer.run()).catch(this.#tell)
    }
    this.#arm()
  }
}
