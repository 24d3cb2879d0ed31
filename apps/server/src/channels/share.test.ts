import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAbove, shareOf } from './share.ts'

test('free connections go to those with the fewest', () => {
  expect(shareOf(10, 0, [])).toBe(10)
  expect(shareOf(10, 0, [0])).toBe(5)
  expect(shareOf(1, 7, [0])).toBe(0)
  expect(shareOf(3, 0, [7])).toBe(3)
  expect(shareOf(6, 6, [6])).toBe(3)
  expect(shareOf(1, 3, [4, 2])).toBe(0)
})

const count = fc.nat(50)

test('all take what is free between them, and from then on they are even, or had more before', () => {
  fc.assert(
    fc.property(count, fc.array(count, { minLength: 1, maxLength: 6 }), (free, owns) => {
      const shares = owns.map((own, at) => shareOf(free, own, owns.toSpliced(at, 1)))
      const taken = shares.reduce((sum, one) => sum + one, 0)
      expect(taken).toBeGreaterThanOrEqual(free)
      expect(taken).toBeLessThan(free + owns.length)
      const after = owns.map((own, at) => own + shares[at]!)
      const level = Math.max(...after.filter((_, at) => shares[at]! > 0), 0)
      for (const [at, one] of after.entries()) if (shares[at]! > 0) expect(one).toBe(level)
    }),
  )
})

test('giving ends, with a difference of one or of a tenth', () => {
  fc.assert(
    fc.property(count, count, (one, other) => {
      const owns = [one, other].sort((a, b) => b - a) as [number, number]
      for (let steps = 0; isAbove(owns[0], owns[1]); steps++) {
        owns[0]--
        owns[1]++
        expect(steps).toBeLessThan(50)
      }
      expect(Math.abs(owns[0] - owns[1])).toBeLessThanOrEqual(Math.max(1, (one + other) / 10))
    }),
  )
})
