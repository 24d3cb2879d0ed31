import { expect, test } from 'vitest'
import { harmless, withoutGuard } from './csv.rules.ts'

test.each([
  '=1+1',
  '+1+1',
  '-1+1',
  '- 2+3',
  '-A1',
  "- cmd|'/C calc'!A0",
  '- HYPERLINK("http://x.test")',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
])('%j would be reckoned, and is written as a text', text => {
  expect(harmless(text)).toBe(`'${text}`)
  expect(withoutGuard(harmless(text))).toBe(text)
  expect(withoutGuard(harmless(`'${text}`))).toBe(`'${text}`)
})

test('what turns the direction of a text is written out', () => {
  expect(harmless('fatura\u202Efdp.exe')).toBe('fatura[U+202E]fdp.exe')
})

test.each(['- item', '- Mesa redonda (nova)', '— travessão', 'a = b', '- água\n- luz', ''])(
  '%j is no formula, and stands as it is',
  text => expect([harmless(text), withoutGuard(text)]).toEqual([text, text]),
)
