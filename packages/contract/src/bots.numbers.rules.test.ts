import { expect, test } from 'vitest'
import { branchOf } from './bots.checks.rules.ts'
import { inNumberOrder, movedBranch, nextNumber } from './bots.numbers.rules.ts'

const tree = (...numbers: string[]) =>
  numbers.map((commandBot, id) => ({ id, commandBot, forceNextFlow: '' }))
/** The numbers afterwards, in the order in which they were. */
function after(numbers: string[], branch: string, above: string, at: number) {
  const changes = movedBranch(tree(...numbers), branch, above, at)
  return changes && numbers.map((number, id) => changes.get(id)?.commandBot ?? number)
}

test('numbers stand by their parts [BOTCMD-005]', () => {
  expect(['10', '2', '1.10', '1.2', '1'].sort(inNumberOrder)).toEqual(['1', '1.2', '1.10', '2', '10'])
  expect([nextNumber(['1', '2', '2.1'], ''), nextNumber(['1'], '1')]).toEqual(['3', '1.1'])
})

test('a branch that is moved takes what stands below it along; those behind make room, those it left close up', () => {
  expect(after(['1', '1.1', '2', '3'], '3', '', 0)).toEqual(['2', '2.1', '3', '1'])
  expect(after(['1', '1.1', '2', '3'], '1', '', 2)).toEqual(['3', '3.1', '1', '2'])
  expect(after(['1', '1.1', '2', '2.1'], '1', '2', 1)).toEqual(['1.2', '1.2.1', '1', '1.1'])
  expect(after(['1', '2', '2.1', '2.1.1', '2.2'], '2.1.1', '', 0)).toEqual(['2', '3', '3.1', '1', '3.2'])
})

test('a 9 that leads to people stays a 9', () => {
  expect(after(['1', '2', '9', '1.1'], '1.1', '', 2)).toEqual(['1', '2', '9', '3'])
  expect(after(['1', '2', '9'], '1', '', 1)).toEqual(['2', '1', '9'])
})

test('a branch cannot stand below itself', () => {
  expect(after(['1', '1.1'], '1', '1.1', 0)).toBeNull()
})

test('what a question leads to is followed', () => {
  const commands = [...tree('1', '2'), { id: 2, commandBot: '3', forceNextFlow: '1' }]
  expect(movedBranch(commands, '2', '', 0)?.get(2)).toEqual({ commandBot: '3', forceNextFlow: '2' })
})

test('a branch is a command and all below it', () => {
  expect(branchOf(tree('1', '1.1', '1.1.1', '10'), '1').map(({ commandBot }) => commandBot)).toEqual([
    '1',
    '1.1',
    '1.1.1',
  ])
})
