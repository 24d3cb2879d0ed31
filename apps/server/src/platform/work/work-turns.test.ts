import { expect, test } from 'vitest'
import { openWorkTurns } from './work-turns.ts'

/** Takes places for the company until it gets none. */
function flood(places: ReturnType<typeof openWorkTurns>, company: number) {
  let held = 0
  for (; places.next([company]) === company; held++) places.take(company)
  return held
}

test('companies that take all they get leave a place for each that comes after them', () => {
  // those of webhooks: four companies with hanging receivers took all of them
  const places = openWorkTurns({ all: 200, ofOne: 40 })
  const held = Array.from({ length: 10 }, (_, at) => flood(places, at + 1))
  expect(held.slice(0, 4)).toEqual([40, 40, 40, 40])
  expect(Math.min(...held)).toBeGreaterThan(0)
})

test('where all places are taken, the next free one is for who has none, whatever its number', () => {
  const places = openWorkTurns({ all: 2, ofOne: 1 })
  for (const company of [1, 2]) places.take(company)
  expect(places.next([1, 2, 900])).toBeNull()
  places.release(1)
  expect(places.next([1, 2, 900])).toBe(900)
})

test('companies that always wait are served in turn', () => {
  const places = openWorkTurns({ all: 1, ofOne: 1 })
  const served = Array.from({ length: 9 }, () => {
    const company = places.next([5, 3, 4])!
    places.take(company)
    places.release(company)
    return company
  })
  expect(served).toEqual([5, 3, 4, 5, 3, 4, 5, 3, 4])
})
