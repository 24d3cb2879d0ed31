import { expect, test } from 'vitest'
import { NO_FIGURES, percentChange, percentChanges } from './reports.rules.ts'

test('a change is told in whole percents, up or down, and never as less than nothing', () => {
  expect(percentChange(50, 56)).toBe(12)
  expect(percentChange(64, 59)).toBe(-8)
  expect(percentChange(8, 9)).toBe(13)
  expect(percentChange(10, 0)).toBe(-100)
  expect(percentChange(1, 500)).toBe(49_900)
  expect(percentChange(70, 70)).toBe(0)
  expect(percentChange(1_000, 999)).toBe(0)
})

test('with nothing before, or no mean now, there is nothing to compare', () => {
  expect(percentChange(0, 7)).toBeNull()
  expect(percentChange(0, 0)).toBeNull()
  expect(percentChange(null, 7)).toBeNull()
  expect(percentChange(7, null)).toBeNull()
})

test('who closed tickets before and closes none now has no means, but fewer of everything', () => {
  const before = { closed: 2, served: 1, serveSeconds: 60, waited: 1, waitSeconds: 30 }
  expect(percentChanges(before, NO_FIGURES)).toEqual({
    closed: -100,
    tma: null,
    tme: null,
    serveSeconds: -100,
    waitSeconds: -100,
  })
})
