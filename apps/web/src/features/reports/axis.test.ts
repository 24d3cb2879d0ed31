import { expect, test } from 'vitest'
import { axisFor } from './axis.ts'

test('an axis has round numbers and ends at or above the highest column', () => {
  expect(axisFor(0)).toEqual([0, 1])
  expect(axisFor(1)).toEqual([0, 1])
  expect(axisFor(3)).toEqual([0, 1, 2, 3])
  expect(axisFor(7)).toEqual([0, 2, 4, 6, 8])
  expect(axisFor(60)).toEqual([0, 20, 40, 60])
  expect(axisFor(1_240)).toEqual([0, 500, 1_000, 1_500])
  for (let most = 1; most < 5_000; most += 7) {
    const axis = axisFor(most)
    expect(axis.at(-1)).toBeGreaterThanOrEqual(most)
    expect(axis.length).toBeLessThanOrEqual(5)
  }
})
