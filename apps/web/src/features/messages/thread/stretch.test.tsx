import type { Message } from '@balcao/contract/messages.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nothingKnown, stretchesOf } from './stretch.tsx'

const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00.000Z`

test('what is drawn of a conversation keeps its place while pages come before it and messages behind it', () => {
  const all = Array.from(
    { length: 120 },
    (_, n) =>
      ({
        id: `m${((n * 7919) % 4096).toString(16).padStart(3, '0')}`,
        ticketId: 1,
        createdAt: at(n % 60),
        ticket: { protocol: '' },
      }) as Message,
  )
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.integer({ min: 51, max: 119 }),
      fc.nat(40),
      fc.nat(40),
      (from, to, more, behind) => {
        const known = nothingKnown()
        const cut = (first: number, last: number) => stretchesOf(all.slice(first, last), new Map(), known)
        const first = Math.max(0, from - more)
        const steps = [cut(from, to), cut(first, to), cut(first, to + behind)]
        for (const [n, after] of steps.entries()) {
          expect(new Set(after.map(({ key }) => key)).size).toBe(after.length)
          for (const { key, messages } of steps[n - 1] ?? []) {
            const kept = after.find(stretch => stretch.key === key)?.messages ?? []
            expect(kept.includes(messages[0]!) || kept.includes(messages.at(-1)!)).toBe(true)
          }
        }
      },
    ),
  )
})

test('what comes before a message that waits at the end begins a stretch with a key of its own', () => {
  const [first, waiting, next] = ['m001', 'm002', 'm000'].map(
    id => ({ id, ticketId: 1, createdAt: at(1), ticket: { protocol: '' } }) as Message,
  )
  const known = nothingKnown()
  const keysOf = (...all: (Message | undefined)[]) =>
    stretchesOf(all as Message[], new Map(), known).map(({ key }) => key)
  expect(keysOf(first, waiting)).toEqual(['m001'])
  expect(keysOf(first, next, waiting)).toEqual(['m001', 'm000'])
  expect(keysOf(first, next, waiting)).toEqual(['m001', 'm000'])
})
