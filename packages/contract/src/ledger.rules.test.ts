import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysFrom } from './invoices.rules.ts'
import { divided, restOf, stateOfInvoice } from './ledger.rules.ts'

test('parts of an amount add up to it, and none is a cent away from its share', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), weights, (cents, of) => {
      const parts = divided(cents, of)
      const all = of.reduce((sum, weight) => sum + weight, 0)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents)
      for (const [at, part] of parts.entries())
        expect(Math.abs(part - (cents * of[at]!) / all)).toBeLessThan(1)
    }),
  )
})

test('the rest of a period loses each day its share, and never more', () => {
  const period = { startInvoicePeriod: '2026-02-01', endInvoicePeriod: '2026-02-28', value: 9_990 }
  expect(restOf(period, '2026-01-20')).toBe(9_990)
  expect(restOf(period, '2026-02-01')).toBe(9_990)
  expect(restOf(period, '2026-02-15')).toBe(4_995)
  expect(restOf(period, '2026-02-28')).toBe(357)
  expect(restOf(period, '2026-03-01')).toBe(0)
  for (let day = '2026-02-01'; day <= '2026-02-28'; day = daysFrom(day, 1))
    expect(restOf(period, day)).toBeGreaterThan(restOf(period, daysFrom(day, 1)))
})

test.each([
  [{ status: 'PENDING', value: 9, paidValue: 0, refundedValue: 0 }, 'open'],
  [{ status: 'OVERDUE', value: 9, paidValue: 1, refundedValue: 0 }, 'partlyPaid'],
  [{ status: 'PENDING', value: 9, paidValue: 0, refundedValue: 9 }, 'open'],
  [{ status: 'CONFIRMED', value: 9, paidValue: 9, refundedValue: 0 }, 'paid'],
  [{ status: 'CANCELLED', value: 9, paidValue: 0, refundedValue: 0 }, 'cancelled'],
  [{ status: 'CANCELLED', value: 9, paidValue: 0, refundedValue: 8 }, 'cancelled'],
  [{ status: 'CANCELLED', value: 9, paidValue: 0, refundedValue: 9 }, 'refunded'],
] as const)('%o is %s', (settled, state) => {
  expect(stateOfInvoice(settled)).toBe(state)
})
