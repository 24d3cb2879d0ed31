import { Refusal } from '../errors.ts'

/** What is outside, as `/metrics` names it. */
export type OutsideTarget =
  | 'database'
  | 'files'
  | 'graph'
  | 'lookups'
  | 'mail'
  | 'models'
  | 'pages'
  | 'payments'
  | 'push'
  | 'webhooks'
  | 'whatsapp'

/** Whom a call is made to, and for which company; null: for the platform, without a bound. */
export interface Callee {
  target: OutsideTarget
  companyId: number | null
}

/** `late`: it was ended by its time limit. */
export type CallResult = 'done' | 'failed' | 'late'

/** Calls of one company to one target that are under way at once; the others wait for them. */
const OF_ONE_AT_ONCE = 32
/** So long (ms) one waits for its company's others. */
const WAIT_MS = 30_000

/** A company has as many calls under way as it may: nothing was sent, and whoever is called may be well. */
export class ShareFull extends Error {}

/** Bounds and counts the calls of something outside. Each ends by the time limit of its client. */
export class OutsideCalls {
  readonly #results = new Map<string, number>()
  readonly #underWay = new Map<OutsideTarget, number>()
  readonly #shares = new Map<string, { running: number; waiting: Set<() => void> }>()
  readonly #ofOne: number
  readonly #waitMs: number

  constructor({ ofOne = OF_ONE_AT_ONCE, waitMs = WAIT_MS } = {}) {
    this.#ofOne = ofOne
    this.#waitMs = waitMs
  }

  /** Throws ShareFull when the company's other calls leave it no place in time; otherwise what `work` answers or throws. */
  async run<T>({ target, companyId }: Callee, work: () => Promise<T>): Promise<T> {
    const leave = companyId === null ? () => {} : await this.#enter(target, companyId)
    this.#underWay.set(target, this.underWay(target) + 1)
    try {
      const result = await work()
      this.note(target, 'done')
      return result
    } catch (error) {
      if (error instanceof Refusal) this.note(target, 'done')
      else this.note(target, isLate(error) ? 'late' : 'failed')
      throw error
    } finally {
      this.#underWay.set(target, this.underWay(target) - 1)
      leave()
    }
  }

  note(target: OutsideTarget, result: CallResult, count = 1) {
    const key = `${target} ${result}`
    this.#results.set(key, (this.#results.get(key) ?? 0) + count)
  }

  underWay = (target: OutsideTarget): number => this.#underWay.get(target) ?? 0

  /** The values of `/metrics`. */
  figures() {
    return {
      ended: [...this.#results].map(([key, value]) => {
        const [target = '', result = ''] = key.split(' ')
        return { target, result, value }
      }),
      underWay: [...this.#underWay].map(([target, value]) => ({ target, value })),
    }
  }

  async #enter(target: OutsideTarget, companyId: number): Promise<() => void> {
    const key = `${target} ${companyId}`
    const share = this.#shares.get(key) ?? { running: 0, waiting: new Set() }
    this.#shares.set(key, share)
    if (share.running >= this.#ofOne) await this.#wait(target, share)
    else share.running++
    return () => {
      const [next] = share.waiting
      // its place goes on to who waits longest
      if (next) next()
      else if (--share.running === 0) this.#shares.delete(key)
    }
  }

  #wait(target: OutsideTarget, { waiting }: { waiting: Set<() => void> }): Promise<void> {
    return new Promise((done, fail) => {
      const next = () => {
        clearTimeout(timer)
        waiting.delete(next)
        done()
      }
      const timer = setTimeout(() => {
        waiting.delete(next)
        this.note(target, 'late')
        fail(new ShareFull('the company has too many calls under way'))
      }, this.#waitMs)
      waiting.add(next)
    })
  }
}

/** By the client's own limit, or by a library's. */
const isLate = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' ||
    ('reason' in error && error.reason === 'timeout') ||
    (error.cause !== undefined && isLate(error.cause)))
