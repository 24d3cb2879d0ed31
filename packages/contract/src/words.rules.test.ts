import { expect, test } from 'vitest'
import { folded, foundPlaces } from './words.rules.ts'

const marked = (text: string, ...words: string[]) =>
  foundPlaces(text, words).map(({ from, to }) => text.slice(from, to))

test('a word is found in any case, with or without its accents, however they are encoded', () => {
  expect(folded('CONCEIÇÃO')).toBe('conceicao')
  expect(marked('Maria Conceição, CONCEICAO', 'conceicao')).toEqual(['Conceição', 'CONCEICAO'])
  expect(marked('Maria Conceição'.normalize('NFD'), 'conceição')).toEqual(['Conceição'.normalize('NFD')])
  expect(marked('conceicao', 'Conceição')).toEqual(['conceicao'])
})

test('places are in order, the longer of two words first, and characters of two units stay whole', () => {
  expect(marked('👍 não é nada', 'na', 'nao', '')).toEqual(['não', 'na'])
  expect(marked('a👍b', '👍')).toEqual(['👍'])
  expect(marked('nada', 'x')).toEqual([])
})
