/** Counts what is under way, so that a test can wait until nothing is. */
export class Work {
  #underWay = 0
  #waiting: (() => void)[] = []

  async during<T>(task: () => Promise<T>): Promise<T> {
    this.#underWay++
    try {
      return await task()
    } finally {
      if (--this.#underWay === 0) for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  /** Resolves when nothing is under way. */
  async done(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
