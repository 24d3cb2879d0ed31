import { expect, test } from '@playwright/test'
import { BUDGET, STORE_BUDGET, weighStore, weighTickets } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget (gzip)', () => {
  expect(weighTickets()?.bytes).toBeLessThanOrEqual(BUDGET)
})

test('the store stays within its own, and brings no other screen', () => {
  const store = weighStore()
  expect(store?.bytes).toBeLessThanOrEqual(STORE_BUDGET)
  expect(store?.chunks.filter(name => /-(screen|dialog)-/.test(name))).toEqual([
    expect.stringMatching(/^store-screen-/),
  ])
})
