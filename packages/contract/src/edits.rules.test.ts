import { expect, test } from 'vitest'
import { changedSince } from './edits.rules.ts'

test('of what the writer saw only what is another by now counts, and not what was written the same', () => {
  const seen = { name: 'Rita', email: null, color: 'red', tags: [1, 2] }
  const current = { name: 'Rita Sá', email: '', color: 'blue', tags: [2, 1], number: '1' }
  expect(changedSince(seen, current, {})).toEqual(['name', 'color', 'tags'])
  expect(changedSince(seen, current, { name: 'Rita Sá', color: 'green' })).toEqual(['color', 'tags'])
  expect(changedSince({}, current, { name: 'Ana' })).toEqual([])
})

test('rows within a record are compared by the fields that were seen of them', () => {
  const seen = { extraInfo: [{ name: 'CPF', value: '1' }] }
  expect(changedSince(seen, { extraInfo: [{ id: 9, name: 'CPF', value: '1' }] }, {})).toEqual([])
  expect(changedSince(seen, { extraInfo: [{ id: 8, name: 'CPF', value: '2' }] }, {})).toEqual(['extraInfo'])
  expect(changedSince(seen, { extraInfo: [] }, {})).toEqual(['extraInfo'])
})
