import { expect, test } from 'vitest'
import { BUDGET, measureStore, measureTickets, STORE_BUDGET } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget, and so does what comes beside (gzip)', () => {
  const weight = measureTickets()
  expect(weight?.waited).toBeLessThanOrEqual(BUDGET.waited)
  expect(weight?.whole).toBeLessThanOrEqual(BUDGET.whole)
})

test('the store stays within its own, and brings nothing of the app or of another page (gzip)', () => {
  const store = measureStore()
  expect(store?.waited).toBeLessThanOrEqual(STORE_BUDGET.waited)
  expect(store?.whole).toBeLessThanOrEqual(STORE_BUDGET.whole)
  const ofOthers = store?.chunks.filter(name => /^(start|lists|talk|kit)-|-(screen|dialog)-/.test(name))
  expect(ofOthers).toEqual([expect.stringMatching(/^store-screen-/)])
})
