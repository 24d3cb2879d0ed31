import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysFrom, monthsFrom, nextPeriod, type Period, parseBrl, priceOf } from './invoices.rules.ts'
import { brl } from './plans.rules.ts'

test('money is read as it is written, to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), cents => {
      expect(parseBrl(brl(cents))).toBe(cents)
    }),
  )
})

test.each([
  ['99,9', 9_990],
  ['1234,50', 123_450],
  ['R$ 1.234', 123_400],
  ['0', null],
  ['-1,00', null],
  ['1,234', null],
  ['1.23,00', null],
  ['99999999999', null],
  ['dez', null],
])('%s is %s cents', (written, cents) => {
  expect(parseBrl(written)).toBe(cents)
})

test('a plan costs its price for as many months as are paid at once (OP-27) [OP-26 … OP-27]', () => {
  const plan = { value1Month: 100, value3Months: 90, value6Months: 80, value12Months: 70 }
  const of = (recurrence: 'month1' | 'months3' | 'months6' | 'months12') => priceOf({ ...plan, recurrence })
  expect([of('month1'), of('months3'), of('months6'), of('months12')]).toEqual([
    { months: 1, cents: 100 },
    { months: 3, cents: 270 },
    { months: 6, cents: 480 },
    { months: 12, cents: 840 },
  ])
})

describe('the next period', () => {
  test('is there ten days before the one before ends, and not earlier (OP-127)', () => {
    const last = { next: '2026-03-01', anchor: 1 }
    expect(nextPeriod('2026-02-18', null, last, 1)).toBeNull()
    expect(nextPeriod('2026-02-19', null, last, 1)).toEqual({
      ...{ start: '2026-03-01', end: '2026-03-31', due: '2026-03-01', anchor: 1 },
    })
  })

  test('is the first one when the trial ends, else today; what was missed is due today (OP-121)', () => {
    expect(nextPeriod('2026-11-01', '2026-11-16', null, 3)).toBeNull()
    expect(nextPeriod('2026-11-06', '2026-11-16', null, 3)).toMatchObject({
      start: '2026-11-16',
      due: '2026-11-16',
    })
    expect(nextPeriod('2026-11-20', '2026-11-16', null, 1)).toMatchObject({
      start: '2026-11-20',
      due: '2026-11-20',
    })
    const last = { next: '2026-09-05', anchor: 5 }
    expect(nextPeriod('2026-11-20', null, last, 1)).toMatchObject({ start: '2026-09-05', due: '2026-11-20' })
  })

  test('leaves no day out, pays none twice and keeps its day of the month, whatever the months are like', () => {
    const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.constantFrom(1, 3, 6, 12), (began, months) => {
        const first = began.toISOString().slice(0, 10)
        const anchor = Number(first.slice(8))
        let last: Parameters<typeof nextPeriod>[2] = null
        for (let at = 0; at < 30; at++) {
          const today: string = last?.next ?? first
          const period: Period = nextPeriod(today, null, last, months)!
          expect(period.start).toBe(today)
          expect(period.start).toBe(monthsFrom(first, at * months, anchor))
          last = { next: daysFrom(period.end, 1), anchor: period.anchor }
        }
      }),
    )
  })
})
