import { expect, test } from 'vitest'
import { boundsOf, countedOn, monthBefore, rateOf } from './revenue.rules.ts'
import { revenue } from './revenue.ts'

test('a month is counted on its last day, and while it lasts today', () => {
  expect(countedOn('2028-02', '2028-03-01')).toBe('2028-02-29')
  expect(countedOn('2026-11', '2026-11-10')).toBe('2026-11-10')
  expect(countedOn('2027-01', '2026-11-10')).toBe('2026-11-10')
  expect(boundsOf('2026-12')).toEqual({ from: '2026-12-01', until: '2027-01-01' })
  expect([monthBefore('2026-01'), monthBefore('2026-11', 12)]).toEqual(['2025-12', '2025-11'])
})

test('every month that is accepted has bounds that are days of the calendar', () => {
  for (const month of ['1000-01', '2026-12', '2999-12']) {
    expect(revenue.receipts.query.safeParse({ month }).success).toBe(true)
    const { from, until } = boundsOf(month)
    expect([from, until, monthBefore(month)].join()).toMatch(/^\d{4}-\d\d-01,\d{4}-\d\d-01,\d{4}-\d\d$/)
  }
  for (const month of ['9999-12', '0050-03', '0000-01', '2026-13', '2026-1'])
    expect(revenue.receipts.query.safeParse({ month }).success).toBe(false)
})

test('a rate has one digit behind the point, and is none where there was nothing', () => {
  expect([rateOf(1, 3), rateOf(0, 7), rateOf(0, 0)]).toEqual([33.3, 0, null])
})
