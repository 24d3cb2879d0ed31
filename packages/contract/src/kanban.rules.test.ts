import { expect, test } from 'vitest'
import { laneOf } from './kanban.rules.ts'

const tagged = (...ids: number[]) => ({ tags: ids.map(id => ({ id, name: `tag ${id}`, color: '#123456' })) })

test('a card stands in its lane; of several in the first of its tags, without one in the first of the board', () => {
  const lanes = new Set([3, 5])
  expect(laneOf(tagged(4, 5), lanes)).toBe(5)
  expect(laneOf(tagged(3, 5), lanes)).toBe(3)
  expect(laneOf(tagged(4), lanes)).toBeNull()
  expect(laneOf(tagged(), lanes)).toBeNull()
})
