import { expect, test } from 'vitest'
import { contractOf, debitWindow } from './autopay.rules.ts'

test('a debit is ordered at most ten days and at least three working days before its day', () => {
  // 2026-03-09 is a Monday
  const days: [string, ReturnType<typeof debitWindow>][] = [
    ['2026-03-20', { is: 'early', from: '2026-03-10' }],
    ['2026-03-19', { is: 'open' }],
    ['2026-03-12', { is: 'open' }],
    ['2026-03-11', { is: 'late' }],
    ['2026-03-09', { is: 'late' }],
    ['2026-03-01', { is: 'late' }],
  ]
  for (const [due, window] of days) expect([due, debitWindow('2026-03-09', due)]).toEqual([due, window])
  // over a weekend
  expect(debitWindow('2026-03-13', '2026-03-17').is).toBe('late')
  expect(debitWindow('2026-03-13', '2026-03-18').is).toBe('open')
})

test('the name of an authorization is as long as the provider takes it', () => {
  expect(contractOf('3f0c1c1e-7e0a-4d5b-9d7a-0f1f2a3b4c5d')).toHaveLength(32)
})
