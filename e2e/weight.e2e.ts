import { expect, test } from '@playwright/test'
import { BUDGET, weighTickets } from '../bench/weight.ts'

test('the script that the tickets screen waits for stays within its budget (gzip)', () => {
  expect(weighTickets()?.bytes).toBeLessThanOrEqual(BUDGET)
})
