import { expect, test } from '@playwright/test'
import { BUDGET, STORE_BUDGET, weighStore, weighTickets } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget, and so does what comes beside (gzip)', () => {
  const weight = weighTickets()
  expect(weight?.waited).toBeLessThanOrEqual(BUDGET.waited)
  expect(weight?.whole).toBeLessThanOrEqual(BUDGET.whole)
})

test('the store stays within its own, and brings no other screen (gzip)', () => {
  const store = weighStore()
  expect(store?.waited).toBeLessThanOrEqual(STORE_BUDGET)
  expect(store?.chunks.filter(name => /-(screen|dialog)-/.test(name))).toEqual([
    expect.stringMatching(/^store-screen-/),
  ])
})
