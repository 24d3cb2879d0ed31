import { expect, test } from 'vitest'
import { JOINED, POSTED } from '../bench/bare.ts'
import { compared } from '../bench/compare.ts'

const run = (rates: Record<string, number>) =>
  ({
    paths: Object.entries(rates).map(([path, requestsPerSecond]) => ({ path, requestsPerSecond })),
  }) as Parameters<typeof compared>[0]

const kept = run({
  [JOINED]: 1_000,
  [POSTED]: 2_000,
  'GET /a': 500,
  'GET /b': 100,
  'POST /c': 400,
  'GET /gone': 5,
})

test('a path is compared by its share of the bare row of its own run, a write by that of the bare insert', () => {
  const slower = run({
    [JOINED]: 500,
    [POSTED]: 500,
    'GET /a': 250,
    'GET /b': 40,
    'POST /c': 100,
    'GET /new': 9,
  })
  expect(compared(slower, kept)).toEqual([
    { path: 'GET /a', before: 0.5, now: 0.5, ratio: 1, isLess: false },
    { path: 'GET /b', before: 0.1, now: 0.08, ratio: expect.closeTo(0.8), isLess: true },
    { path: 'POST /c', before: 0.2, now: 0.2, ratio: 1, isLess: false },
  ])
})

test('a path that answers none is less, and a run without its bare rows is not compared', () => {
  const none = run({ [JOINED]: 1_000, [POSTED]: 2_000, 'GET /a': 0 })
  expect(compared(none, kept)).toEqual([{ path: 'GET /a', before: 0.5, now: 0, ratio: 0, isLess: true }])
  expect(() => compared(run({ 'GET /a': 5 }), kept)).toThrow(JOINED)
})
