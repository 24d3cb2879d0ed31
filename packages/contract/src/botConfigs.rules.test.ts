import { expect, test } from 'vitest'
import { answeredLast, nextTry, patienceMs, wholeSentences, withinBudget } from './botConfigs.rules.ts'

test('a model that hangs, however late and however often, is given up within thirty seconds altogether', () => {
  for (const quick of [0, 1, 2, 3]) {
    let passed = 0
    for (let tries = 1; ; tries++) {
      // so many times it fails at the last moment that is tried again, then it hangs
      const hangs = tries > quick
      const ms = hangs ? patienceMs(tries - 1) : 5_000
      passed += ms
      const pause = nextTry(hangs ? 'slow' : 'busy', { tries, ms, retryAfterMs: 5_000 })
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

test('tokens that were used up are not asked for again, nor what is busy for longer than a customer waits', () => {
  expect(nextTry('room', { tries: 1, ms: 10 })).toBeNull()
  expect(nextTry('busy', { tries: 1, ms: 10, retryAfterMs: 6_000 })).toBeNull()
})

test.each([
  ['Temos sofás. O mais barato é de R$ 1', 'Temos sofás.'],
  ['Sim! Custa R$ 1.200,00 e vem em três cores. A entrega', 'Sim! Custa R$ 1.200,00 e vem em três cores.'],
  ['Cores:\n- cinza\n- az', 'Cores:\n- cinza'],
  ['O sofá custa R$ 1', ''],
])('an answer that was cut ends with its last whole sentence: %s', (text, kept) => {
  expect(wholeSentences(text)).toBe(kept)
})

test('a call holds the newest of a long conversation, the last message in any case, and few pictures', () => {
  const text = (body: string) => ({ body, mediaType: null })
  const long = Array.from({ length: 200 }, (_, at) => text(`${at} ${'x'.repeat(1_000)}`))
  const kept = withinBudget(long)
  expect(kept.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(24_000)
  expect([kept.at(-1)!.body, kept.length > 20]).toEqual([long.at(-1)!.body, true])
  expect(withinBudget([text('antes'), text('y'.repeat(65_000))]).map(({ body }) => body.length)).toEqual([
    24_000,
  ])
  const pictures = Array.from({ length: 5 }, () => ({ body: '', mediaType: 'image' }))
  expect(withinBudget(pictures).map(({ isShown }) => isShown)).toEqual([false, false, true, true, true])
})
