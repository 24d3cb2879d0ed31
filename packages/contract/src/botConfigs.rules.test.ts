import { expect, test } from 'vitest'
import { answeredLast, nextTry, patienceMs } from './botConfigs.rules.ts'

test('a model that hangs, however late and however often, is given up within thirty seconds altogether', () => {
  for (const quick of [0, 1, 2, 3]) {
    let passed = 0
    for (let tries = 1; ; tries++) {
      // so many times it fails at the last moment that is tried again, then it hangs
      const hangs = tries > quick
      const ms = hangs ? patienceMs(tries - 1) : 5_000
      passed += ms
      const pause = nextTry(hangs ? 'slow' : 'cut', { tries, ms })
      if (pause === null) break
      passed += pause
    }
    expect(passed).toBeLessThanOrEqual(30_000)
  }
})

test('a model answers what the customer said last: a greeting that was sent by itself meanwhile stands before it', () => {
  const said = (written: string) => [...written].map(body => ({ body, fromMe: body === body.toUpperCase() }))
  const order = (written: string) =>
    answeredLast(said(written))
      .map(({ body }) => body)
      .join('')
  expect(['aGH', 'abG', 'aGbc', 'aGbcHI', 'GH', ''].map(order)).toEqual([
    'GHa',
    'Gab',
    'aGbc',
    'aGHIbc',
    'GH',
    '',
  ])
})
