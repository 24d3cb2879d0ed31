import { expect, test } from '@playwright/test'
import { BUDGET, STORE_BUDGET, weighStore, weighTickets } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget, and so does what comes beside (gzip)', () => {
  const weight = weighTickets()
  expect(weight?.waited).toBeLessThanOrEqual(BUDGET.waited)
  expect(weight?.whole).toBeLessThanOrEqual(BUDGET.whole)
})

test('the store stays within its own, and brings nothing of the app or of another page (gzip)', () => {
  const store = weighStore()
  expect(store?.waited).toBeLessThanOrEqual(STORE_BUDGET.waited)
  expect(store?.whole).toBeLessThanOrEqual(STORE_BUDGET.whole)
  const ofOthers = store?.chunks.filter(name => /^start-|^kit-|-(screen|dialog)-/.test(name))
  expect(ofOthers).toEqual([expect.stringMatching(/^store-screen-/)])
})
