import { expect, test } from 'vitest'
import { moved, timetable } from './flows.rules.ts'
import type { ActionType } from './flows.ts'

const action = (actionType: ActionType, param = 0) => ({ actionType, param })

test('what is said leaves when what stands before it is over, typing being shown meanwhile', () => {
  const plan = timetable([
    action('Composing', 3),
    action('SendText'),
    action('Delay', 2),
    action('Recording', 4),
    action('SendMedia'),
    action('SendText'),
    action('Composing', 9),
  ])
  expect(plan.map(({ at, typing, typingFrom }) => [at, typing, typingFrom])).toEqual([
    [3_000, 'composing', 0],
    [9_000, 'recording', 5_000],
    [9_000, null, 9_000],
  ])
})

test('of typing and recording before the same thing the last is shown', () => {
  const [said] = timetable([action('Composing', 3), action('Recording', 4), action('SendMedia')])
  expect(said).toMatchObject({ at: 7_000, typing: 'recording', typingFrom: 3_000 })
})

test('an action is put in another place, at most at an end', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b'])
})
