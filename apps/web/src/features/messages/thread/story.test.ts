import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.ts'
import { expect, test } from 'vitest'
import { merged } from '../messages.cache.ts'
import { placed } from './story.ts'

const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00.000Z`
const said = (id: string, minute: number) => ({ id, createdAt: at(minute) })
const happened = (id: number, minute: number) => ({ id, at: at(minute) }) as TicketEvent
const whole = { hasMore: false, hasNewer: false }
const ids = (story: ReturnType<typeof placed>) =>
  Object.fromEntries([...story].map(([before, events]) => [before, events.map(({ id }) => id)]))

test('what happened stands before the first message that was said after it, though one came late', () => {
  const messages = [said('a', 1), said('b', 5), said('late', 2), said('c', 9)]
  expect(
    ids(placed([happened(1, 0), happened(2, 3), happened(3, 6), happened(4, 10)], messages, whole)),
  ).toEqual({
    a: [1],
    b: [2],
    c: [3],
    '': [4],
  })
})

test('what happened beyond the stretch that is shown is left to its own place', () => {
  const messages = [said('a', 5), said('b', 6)]
  const events = [happened(1, 1), happened(2, 5), happened(3, 9)]
  expect(ids(placed(events, messages, { hasMore: true, hasNewer: true }))).toEqual({ b: [2] })
})

test('what waits stands behind everything, what was refused where it was written', () => {
  const message = (id: string, position: number, minute: number, more: Partial<Message> = {}) =>
    ({ id, position, version: 1, ack: 2, createdAt: at(minute), ...more }) as Message
  const unsent = [
    message('second', 2 ** 52 + 2, 3, { version: 0, ack: 1 }),
    message('first', 2 ** 52 + 1, 2, { version: 0, ack: 1 }),
    message('refused', 2 ** 52, 1, { version: 0, ack: 0 }),
  ]
  const made = merged([message('b', 2, 8), message('a', 1, 0)], unsent)
  expect(made.map(({ id }) => id)).toEqual(['a', 'refused', 'b', 'first', 'second'])
})
