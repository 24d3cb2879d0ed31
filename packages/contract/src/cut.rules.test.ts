import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut } from './cut.rules.ts'

test('a text is cut before a character that does not fit whole', () => {
  expect(cut('Conceição', 50)).toBe('Conceição')
  expect(cut('Conceição', 7)).toBe('Conceiç')
  expect(cut(`${'a'.repeat(49)}😀b`, 50)).toBe('a'.repeat(49))
  expect(cut(`${'a'.repeat(48)}😀b`, 50)).toBe(`${'a'.repeat(48)}😀`)
  // a family of four joined, and an accent of its own
  expect(cut(`${'a'.repeat(45)}👨‍👩‍👧‍👦`, 50)).toBe('a'.repeat(45))
  expect(cut('e\u0301'.repeat(3), 3)).toBe('e\u0301')
  expect(cut('😀', 1)).toBe('')
  expect(cut('a', 0)).toBe('')
})

test('half a character that came in does not stay half', () => {
  expect(cut('ol\ud83d', 50)).toBe('ol\ufffd')
  expect(cut(`${'\ud83d'.repeat(60)}`, 50).isWellFormed()).toBe(true)
})

test('whatever the text, what is left is its well-formed beginning and no longer than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(200), (text, most) => {
      const left = cut(text, most)
      expect(left.isWellFormed()).toBe(true)
      expect(left.length).toBeLessThanOrEqual(most)
      expect(text.toWellFormed().startsWith(left)).toBe(true)
      expect(cut(left, most)).toBe(left)
    }),
  )
})
