import { expect, test } from 'vitest'
import { drawn, mutantsOf } from './mutants.ts'

test('each lie is one change of one line; comments, imports and types stay', () => {
  const source = [
    `import { a } from './a.ts' // true`,
    '// a === b',
    'type Truth = true',
    'export const older = (a: number, b: number) => a < b && a !== 0',
    "  if (row.ack !== FAILED) refuse('ERR_X')",
    '  await lockTicket(tx, id)',
  ].join('\n')
  expect(mutantsOf(source).map(({ line, after }) => [line, after])).toEqual([
    [4, 'export const older = (a: number, b: number) => a < b && a === 0'],
    [4, 'export const older = (a: number, b: number) => a < b || a !== 0'],
    [4, 'export const older = (a: number, b: number) => a <= b && a !== 0'],
    [5, "if (row.ack === FAILED) refuse('ERR_X')"],
    [5, '// nothing is refused'],
    [6, '// nothing is done'],
  ])
  for (const { text } of mutantsOf(source)) expect(text.split('\n')).toHaveLength(6)
})

test('the same seed draws the same', () => {
  const all = Array.from({ length: 100 }, (_, at) => at)
  expect(drawn(all, 10, 7)).toEqual(drawn(all, 10, 7))
  expect(drawn(all, 10, 7)).not.toEqual(drawn(all, 10, 8))
})
