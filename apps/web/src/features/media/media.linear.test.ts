import { expect, test } from 'vitest'
import { FAMILIES, growth } from '../../../../../bin/linear/texts.ts'
import { Marked } from '../tickets/marked.tsx'
import { Formatted, shortened } from './formatted.tsx'

const LETTERS = 16_384

test('a message of a customer is drawn, shortened and searched in the time of its length', () => {
  const readers: Record<string, (text: string) => unknown> = {
    drawn: text => Formatted({ text }),
    shortened,
    searched: text => Marked({ text, words: 'nota fiscal' }),
  }
  const found = Object.entries(readers).flatMap(([name, read]) =>
    FAMILIES.map(family => growth(read, family, LETTERS)).flatMap(fault =>
      fault ? [`${name}: ${fault}`] : [],
    ),
  )
  expect(found).toEqual([])
})
