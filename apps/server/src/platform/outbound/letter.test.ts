import { expect, test } from 'vitest'
import { htmlOf, type Letter, textOf } from './letter.ts'

test('a name within a letter turns the direction of nothing, in either form of it', () => {
  const before = ['Rui\u202Etset.aur convidou você.']
  const letter: Letter = { language: 'ptBR', subject: '', before, button: null, after: [] }
  for (const written of [textOf(letter, null, 'Balcão'), htmlOf(letter, null, 'Balcão')])
    expect(written).toContain('Rui[U+202E]tset.aur convidou')
})
