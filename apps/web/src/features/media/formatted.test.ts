import { expect, test } from 'vitest'
import { shortened } from './formatted.tsx'

test('a text of an ordinary length is shown whole', () => {
  for (const text of ['', 'Oi', 'linha\n'.repeat(30), 'x'.repeat(3_500)]) expect(shortened(text)).toBe(text)
})

test('sixty thousand empty lines are folded to what was said before them', () => {
  expect(shortened(`Oi${'\n'.repeat(60_000)}tchau`)).toBe('Oi')
  expect(shortened('a\n'.repeat(60_000)).split('\n')).toHaveLength(30)
})

test('a long line is folded, and no character is cut in half', () => {
  expect(shortened('x'.repeat(65_000))).toHaveLength(3_000)
  const cut = shortened(`x${'😀'.repeat(30_000)}`)
  expect([cut.isWellFormed(), cut.length]).toEqual([true, 2_999])
})
