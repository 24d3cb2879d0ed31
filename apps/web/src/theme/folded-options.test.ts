import { expect, test } from 'vitest'
import { foldedOptions } from './folded-options.ts'

const option = (label: string) => ({ value: label, label })
const found = (search: string, limit = Number.POSITIVE_INFINITY) =>
  foldedOptions({ options: ['Conceição', 'Zélia', 'zelo'].map(option), search, limit }).map(
    one => 'label' in one && one.label,
  )

test('a select finds its options without their accents, and the other way round', () => {
  expect(found(' conceicao ')).toEqual(['Conceição'])
  expect(found('ZÉL')).toEqual(['Zélia', 'zelo'])
  expect(found('zel', 1)).toEqual(['Zélia'])
  expect(found('')).toHaveLength(3)
})

test('a group keeps its name, with what is found in it', () => {
  const options = [{ group: 'São Paulo', items: [option('Praça da Sé'), option('Luz')] }]
  const [group] = foldedOptions({ options, search: 'praca', limit: 5 })
  expect(group).toEqual({ group: 'São Paulo', items: [option('Praça da Sé')] })
})
