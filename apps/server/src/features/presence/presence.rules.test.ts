import { expect, test } from 'vitest'
import { Board, COUNTS_MS, presenceOf } from './presence.rules.ts'

const ana = { id: 1, name: 'Ana' }
const bia = { id: 2, name: 'Bia' }
const looking = { ticketId: 7, doing: 'looking' as const }

test('of several screens of one user the strongest doing counts', () => {
  const seats = [
    { user: bia, doing: 'looking' as const },
    { user: ana, doing: 'noting' as const },
    { user: ana, doing: 'writing' as const },
    { user: ana, doing: 'looking' as const },
  ]
  expect(presenceOf(7, seats).users).toEqual([
    { ...ana, doing: 'writing' },
    { ...bia, doing: 'looking' },
  ])
})

test('a screen is in one ticket, counts until its last report is too old, and reports of the same change nothing', () => {
  const board = new Board()
  board.sit('a', { ...looking, user: ana }, 0)
  board.sit('b', { ...looking, user: bia }, 0)
  expect(board.takeChanged()).toEqual([7])
  board.sit('a', { ...looking, user: ana }, 3_000)
  expect(board.takeChanged()).toEqual([])
  board.expire(COUNTS_MS)
  expect(board.of(7).users).toEqual([{ ...ana, doing: 'looking' }])
  board.sit('a', { ticketId: 8, user: ana, doing: 'writing' }, 5_000)
  expect(board.takeChanged()).toEqual([7, 8])
  expect([board.of(7).users.length, board.of(8).users.length]).toEqual([0, 1])
  board.leave('a')
  expect(board.takeChanged()).toEqual([8])
  expect(board.isEmpty).toBe(true)
})
