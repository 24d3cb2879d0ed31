import { expect, test } from 'vitest'
import { keepTexts } from './kept.ts'

test('a text is found by its key and its mark; another mark is another text', () => {
  const texts = keepTexts(1)
  texts.keep('1 7', 'a', 'first')
  expect(texts.find('1 7', 'a')).toBe('first')
  expect(texts.find('1 7', 'b')).toBeUndefined()
  expect(texts.find('2 7', 'a')).toBeUndefined()
  texts.keep('1 7', 'b', 'second')
  expect(texts.find('1 7', 'b')).toBe('second')
  expect(texts.find('1 7', 'a')).toBeUndefined()
})

test.each([
  ['Latin', 'é', [0, 2, 3, 4, 5]],
  ['other', '👍', [5]],
])('those used last are kept, as many as fit: %s letters', (_what, letter, most) => {
  const texts = keepTexts(1)
  const long = letter.repeat(200_000)
  for (let at = 0; at < 6; at++) {
    texts.keep(String(at), '', long)
    texts.find('0', '')
  }
  const kept = [0, 1, 2, 3, 4, 5].filter(at => texts.find(String(at), '') !== undefined)
  expect(kept).toEqual(most)
})
