import { expect, test } from 'vitest'
import { type Fault, type Patience, patience, pauseAfter } from './retries.ts'

/** How often something is tried within so long, each time by this fault. */
function triesWithin(how: Patience, fault: Fault, ms: number) {
  let [at, attempts] = [0, 0]
  for (;;) {
    attempts++
    const counted = fault === 'recipient' ? attempts : 0
    const pause = pauseAfter(how, fault, { attempts, counted })
    if (pause === null) return { attempts, over: at }
    if (at + pause > ms) return { attempts, over: null }
    at += pause
  }
}

const HOUR_MS = 3_600_000

test.each([1_000, 30_000, 600_000, 6 * HOUR_MS])(
  'an outage of %d ms that is not the recipient’s fault gives up nothing',
  ms => {
    for (const how of Object.values(patience))
      for (const fault of ['ours', 'network'] as const) expect(triesWithin(how, fault, ms).over).toBe(null)
  },
)

test('a pause grows from try to try, and behind an outage of hours nobody waits longer than ten minutes', () => {
  const pauses = [1, 2, 3, 4, 50].map(attempts =>
    pauseAfter(patience.outbox, 'network', { attempts, counted: 0 }),
  )
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000])
  expect(pauseAfter(patience.charge, 'network', { attempts: 50, counted: 0 })).toBe(600_000)
  expect(pauseAfter(patience.charge, 'recipient', { attempts: 50, counted: 50 })).toBe(6 * HOUR_MS)
})

test('what one recipient alone does not take is given up, also when an outage came in between', () => {
  expect(triesWithin(patience.outbox, 'recipient', HOUR_MS)).toMatchObject({ attempts: 10 })
  expect(pauseAfter(patience.outbox, 'recipient', { attempts: 200, counted: 9 })).toBe(10_000)
  expect(pauseAfter(patience.outbox, 'recipient', { attempts: 201, counted: 10 })).toBe(null)
})

test('a file of a customer is asked for during a day that its sender or the network does not have it, and as long as we cannot keep it', () => {
  const { over } = triesWithin(patience.incomingFile, 'recipient', 48 * HOUR_MS)
  expect(over).toBeGreaterThanOrEqual(24 * HOUR_MS)
  expect(over).toBeLessThan(26 * HOUR_MS)
  expect(triesWithin(patience.incomingFile, 'ours', 48 * HOUR_MS).over).toBe(null)
})
