import { expect, test } from '@playwright/test'
import { BUDGET, weighTickets } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget, and so does what comes beside (gzip)', () => {
  const weight = weighTickets()
  expect(weight?.waited).toBeLessThanOrEqual(BUDGET.waited)
  expect(weight?.whole).toBeLessThanOrEqual(BUDGET.whole)
})
