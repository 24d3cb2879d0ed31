import { setTimeout as sleep } from 'node:timers/promises'

/** Messages of a number in a second, in and out together (Meta, "Throughput"): some room is left for what comes in. */
export const STANDARD = 60
export const HIGH = 700
/** Of one that is used in the Business app of a phone too (20, page "Onboarding WhatsApp Business app users"). */
export const ON_APP = 15
const SLOWEST = 2
const FIRST_PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000
/** A limit of calls within an hour, or an account that Meta holds for a while. */
const REST_MS = 60_000
const MOST_REST_MS = 15 * 60_000
/** Page "Throughput", pair rate limits: one message in 6 seconds to one person, and 4^n of it behind each refusal. */
const PAIR_MS = 6_000
const MOST_PAIR_MS = 120_000

/** Keeps a number below the rate that Meta accepts. */
export interface Pace {
  /** False while Meta asked for a pause. */
  open(): boolean
  /** Resolves when the next call may be made. */
  turn(): Promise<void>
  limit(perSecond: number): void
  /** Meta refused with "too fast": half as fast, after a pause that doubles. */
  tooFast(): void
  /** Nothing leaves for so long as Meta asks; else for minutes, which double. */
  rest(askedMs: number): void
  /** Meta accepted a call: a little faster, up to the limit. */
  accepted(to: string): void
  /** Nothing to this person for a while, which grows each time. */
  hold(to: string, firstMs?: number): void
  /** Waits for a person's pause to end. */
  free(to: string): Promise<void>
}

export function createPace(): Pace {
  let limit = STANDARD
  let rate = STANDARD
  let next = 0
  let pause = FIRST_PAUSE_MS
  let resting = REST_MS
  let until = 0
  const held = new Map<string, { until: number; times: number }>()
  return {
    open: () => performance.now() >= until,
    async turn() {
      const at = Math.max(performance.now(), next)
      next = at + 1_000 / rate
      if (at > performance.now() + 1) await sleep(at - performance.now())
    },
    limit(perSecond) {
      if (limit === perSecond) return
      limit = perSecond
      rate = perSecond
    },
    tooFast() {
      if (performance.now() < until) return
      rate = Math.max(SLOWEST, rate / 2)
      until = performance.now() + pause
      pause = Math.min(pause * 2, MOST_PAUSE_MS)
    },
    rest(askedMs) {
      const isOfCallUnderWay = askedMs === 0 && performance.now() < until
      if (isOfCallUnderWay) return
      until = Math.max(until, performance.now() + (askedMs || resting))
      resting = Math.min(resting * 2, MOST_REST_MS)
    },
    accepted(to) {
      resting = REST_MS
      held.delete(to)
      rate = Math.min(limit, rate + limit / 200)
      if (rate === limit) pause = FIRST_PAUSE_MS
    },
    hold(to, firstMs = PAIR_MS) {
      const times = (held.get(to)?.times ?? 0) + 1
      const ms = Math.min(firstMs * 4 ** (times - 1), MOST_PAIR_MS)
      held.set(to, { until: performance.now() + ms, times })
    },
    async free(to) {
      const ms = (held.get(to)?.until ?? 0) - performance.now()
      if (ms > 0) await sleep(ms)
    },
  }
}
