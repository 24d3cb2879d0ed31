import { expect, test } from 'vitest'
import { readAnswer, withoutTurns } from './shown-text.ts'

const TURNS = [...'\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069']

test('what turns the direction of a text is written out, wherever it stands in an answer or a push', () => {
  const turned = { name: `fatura\u202Efdp.exe`, tags: [{ name: '\u2066a\u2069' }], count: 2, none: null }
  const shown = { name: 'fatura[U+202E]fdp.exe', tags: [{ name: '[U+2066]a[U+2069]' }], count: 2, none: null }
  expect(withoutTurns(turned)).toEqual(shown)
  expect(readAnswer(JSON.stringify(turned))).toEqual(shown)
  for (const sign of TURNS) expect(withoutTurns(sign)).toMatch(/^\[U\+20[26][0-9A-E]\]$/)
  expect(withoutTurns('مرحبا שלום 👍')).toBe('مرحبا שלום 👍')
})
