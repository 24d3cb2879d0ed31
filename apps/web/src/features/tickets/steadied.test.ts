import { expect, test } from 'vitest'
import { steadied } from './steadied.ts'

const H = 80
const rows = (ids: number[], fresh = 0) => ({ ids, fresh })

test('The first row in sight stays where it is while rows come and go above it', () => {
  expect(steadied(200, rows([1, 2, 3, 4]), rows([9, 1, 2, 3, 4]), H)).toBe(280)
  expect(steadied(200, rows([1, 2, 3, 4]), rows([2, 3, 4]), H)).toBe(120)
})

test('At the top the newest row is shown, unless a hand holds the rows', () => {
  expect(steadied(0, rows([1, 2]), rows([9, 1, 2]), H)).toBe(0)
  expect(steadied(0, rows([1, 2]), rows([9, 1, 2], 1), H)).toBe(80)
  expect(steadied(80, rows([9, 1, 2], 1), rows([9, 1, 2]), H)).toBe(0)
})
