import { expect, test } from 'vitest'
import type { Use } from './secretUses.queries.ts'
import { openUseCounts } from './secretUses.rules.ts'

const use = (network: string): Use => ({
  ...{ companyId: 1, userId: 2, kind: 'apiToken', secret: 'handle', name: 'Loja', call: 'send' },
  network,
})

test('calls are counted in memory once one of the same secret, call and network is written, and taken once', () => {
  const counts = openUseCounts()
  expect(counts.add(use('10.0.0.1'))).toBe(false)
  counts.know(use('10.0.0.1'))
  expect([counts.add(use('10.0.0.1')), counts.add(use('10.0.0.2'))]).toEqual([true, false])
  expect(counts.add({ ...use('10.0.0.1'), name: 'Loja nova' })).toBe(true)
  expect(counts.take()).toEqual([{ ...use('10.0.0.1'), name: 'Loja nova', times: 2 }])
  expect(counts.take()).toEqual([])
})

test('what could not be written is counted with what came meanwhile', () => {
  const counts = openUseCounts()
  counts.know(use('10.0.0.1'))
  counts.add(use('10.0.0.1'))
  const failed = counts.take()
  counts.add(use('10.0.0.1'))
  counts.giveBack(failed)
  expect(counts.take()).toEqual([{ ...use('10.0.0.1'), times: 2 }])
})

test('beyond the bound, and when the process ends, a call is written by itself', () => {
  const counts = openUseCounts(1)
  counts.know(use('10.0.0.1'))
  expect(counts.add(use('10.0.0.1'))).toBe(true)
  counts.know(use('10.0.0.2'))
  expect(counts.add(use('10.0.0.2'))).toBe(false)
  counts.know(use('10.0.0.1'))
  counts.end()
  expect(counts.add(use('10.0.0.1'))).toBe(false)
})
