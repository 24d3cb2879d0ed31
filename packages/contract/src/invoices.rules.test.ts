import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BillingTerms,
  daysFrom,
  monthsFrom,
  nextPeriod,
  type Period,
  parseBrl,
  priceOf,
} from './invoices.rules.ts'
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
  const billing = { from: null, through: null, anchor: null, trialEnd: null, pauses: [] }

  test('is there ten days before the one before ends, and not earlier (OP-127)', () => {
    const behind = { ...billing, through: '2026-02-28', anchor: 1 }
    expect(nextPeriod('2026-02-18', behind, 1)).toBeNull()
    expect(nextPeriod('2026-02-19', behind, 1)).toEqual({
      ...{ start: '2026-03-01', end: '2026-03-31', due: '2026-03-01', anchor: 1 },
    })
  })

  test('is the first one when the trial ends, else today; what was missed is due today (OP-121)', () => {
    const trial = { ...billing, trialEnd: '2026-11-16' }
    expect(nextPeriod('2026-11-01', trial, 3)).toBeNull()
    expect(nextPeriod('2026-11-06', trial, 3)).toMatchObject({ start: '2026-11-16', due: '2026-11-16' })
    expect(nextPeriod('2026-11-20', trial, 1)).toMatchObject({ start: '2026-11-20', due: '2026-11-20' })
    const behind = { ...billing, through: '2026-09-04', anchor: 5 }
    expect(nextPeriod('2026-11-20', behind, 1)).toMatchObject({ start: '2026-09-05', due: '2026-11-20' })
  })

  test('does not begin before the day from which the company is billed, and keeps its own day of the month then', () => {
    const behind = { ...billing, through: '2026-02-27', anchor: 31, from: '2026-11-03' }
    expect(nextPeriod('2026-11-03', behind, 1)).toMatchObject({ start: '2026-11-03', end: '2026-12-02' })
    expect(nextPeriod('2026-11-03', { ...behind, from: '2026-02-01' }, 1)).toMatchObject({
      ...{ start: '2026-02-28', end: '2026-03-30', anchor: 31 },
    })
    expect(nextPeriod('2026-11-03', { ...billing, from: '2026-09-01' }, 1)).toMatchObject({
      start: '2026-09-01',
    })
  })

  test('is a whole one behind an invoice that ended on another day of the month', () => {
    const behind = { ...billing, through: '2026-03-15', anchor: 31 }
    expect(nextPeriod('2026-11-03', behind, 1)).toMatchObject({
      ...{ start: '2026-03-16', end: '2026-04-15', anchor: 16 },
    })
    expect(nextPeriod('2026-11-03', { ...behind, anchor: 5 }, 1)).toMatchObject({ end: '2026-04-15' })
  })

  test('begins when the pause ends in which it would begin; while one lasts there is none', () => {
    const pauses = [
      { from: '2026-02-05', until: '2026-03-10' },
      { from: '2026-03-10', until: '2026-05-03' },
      { from: '2026-06-20', until: null },
    ]
    const paused = { ...billing, through: '2026-02-09', anchor: 10, pauses }
    expect(nextPeriod('2026-05-03', paused, 1)).toMatchObject({ start: '2026-05-03', anchor: 3 })
    expect(nextPeriod('2026-05-03', { ...paused, through: '2026-02-01' }, 1)).toMatchObject({
      start: '2026-02-02',
    })
    expect(nextPeriod('2026-09-01', { ...paused, through: '2026-07-01' }, 1)).toBeNull()
  })

  test('leaves no day out, pays none twice and keeps its day of the month, whatever the months are like', () => {
    const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.constantFrom(1, 3, 6, 12), (began, months) => {
        const first = began.toISOString().slice(0, 10)
        const anchor = Number(first.slice(8))
        let behind: BillingTerms = billing
        for (let at = 0; at < 30; at++) {
          const today: string = behind.through ? daysFrom(behind.through, 1) : first
          const period: Period = nextPeriod(today, behind, months)!
          expect(period.start).toBe(today)
          expect(period.start).toBe(monthsFrom(first, at * months, anchor))
          behind = { ...billing, through: period.end, anchor: period.anchor }
        }
      }),
    )
  })
})
