import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lateReason, type Policy, policyOf } from './errors.ts'
import { createPace } from './pace.ts'

const about = (code: number, more: object = {}) =>
  policyOf({ code, status: 400, message: '', details: '', ...more })

describe('a refusal of Meta’s', () => {
  test('ends a connection when the token is invalid or has no such number, and for no other reason', () => {
    expect(about(190, { status: 401, subcode: 463 }).policy).toBe('auth')
    expect(about(100, { subcode: 33 }).policy).toBe('auth')
    for (const code of [0, 3, 10, 100, 102, 104, 200, 299, 131005])
      for (const status of [400, 401, 403, 500]) expect(about(code, { status }).policy).not.toBe('auth')
  })

  test('that Meta calls transient is tried again, unless its code asks for a longer pause', () => {
    for (const code of [10, 100, 190, 131047, 999_999])
      expect(about(code, { isTransient: true })).toEqual({ policy: 'again', reason: 'ERR_WAPP_CLOUD_CALL' })
    expect(about(80007, { isTransient: true }).policy).toBe('rest')
    expect(about(131056, { isTransient: true }).policy).toBe('pair')
  })

  test('is of the message alone where the recipient, or his country, is the reason', () => {
    expect(about(130497)).toEqual({ policy: 'refuse', reason: 'ERR_WAPP_CLOUD_COUNTRY' })
    expect(lateReason({ code: 130472 })).toBe('ERR_WAPP_NOT_DELIVERED')
    expect(lateReason({ code: 131050 })).toBe('ERR_OPTED_OUT')
  })

  test('does what the table of docs/channels.md says, and every code with a rule is in it', () => {
    const doc = readFileSync(new URL('../../../../../docs/channels.md', import.meta.url), 'utf8')
    const table = doc.split('\n## ').find(section => section.startsWith('Errors of the official API'))!
    const rows = [...table.matchAll(/^\| ([\d, ]+) \|[^|]*\| ([^|]*) \|/gm)].flatMap(([, codes, done]) =>
      codes!.split(', ').map(code => ({ code: Number(code), done: done! })),
    )
    for (const { code, done } of rows) {
      const { policy, reason } = about(code)
      expect([code, done.startsWith(PHRASES[policy])]).toEqual([code, true])
      if (policy !== 'again') expect(done).toContain(reason)
    }
    const listed = new Set(rows.map(({ code }) => code))
    const ruled = Array.from({ length: 140_000 }, (_, code) => code).filter(code =>
      about(code).reason.startsWith('ERR_'),
    )
    expect(ruled.filter(code => !listed.has(code) && (code < 200 || code > 299))).toEqual([])
  })
})

/** How the table begins to say what is done. */
const PHRASES: Record<Policy, string> = {
  auth: 'The connection ends',
  denied: 'The message fails',
  blocked: 'The message fails',
  refuse: 'The message fails',
  again: 'Tried again',
  slow: 'Tried again',
  rest: 'Tried again',
  pair: 'Tried again',
}

describe('the pace of a number', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const restsFor = (pace: ReturnType<typeof createPace>, ms: number) => {
    vi.advanceTimersByTime(ms - 1)
    const before = pace.open()
    vi.advanceTimersByTime(1)
    return [before, pace.open()]
  }

  test('rests as long as Meta asks; else a minute, which doubles until a message is accepted', () => {
    const pace = createPace()
    pace.rest(19 * 60_000)
    expect(restsFor(pace, 19 * 60_000)).toEqual([false, true])
    pace.accepted('5511')
    pace.rest(0)
    expect(restsFor(pace, 60_000)).toEqual([false, true])
    pace.rest(0)
    pace.rest(0) // of a call that was under way
    expect(restsFor(pace, 120_000)).toEqual([false, true])
    pace.accepted('5511')
    pace.rest(0)
    expect(restsFor(pace, 60_000)).toEqual([false, true])
  })

  test('is the same when the clock of the machine is set back by an hour meanwhile', () => {
    const pace = createPace()
    pace.tooFast()
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(restsFor(pace, 1_000)).toEqual([false, true])
  })
})
