import type { Message } from '@balcao/contract/messages.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clock } from '../../../platform/time.ts'
import { merged } from '../messages.cache.ts'
import { between, placed, protocolsOf } from './story.ts'

const at = (minute: number) => `2026-03-02T12:${String(minute).padStart(2, '0')}:00.000Z`
const sent = (id: string, minute: number) => ({ id, createdAt: at(minute) })
const happened = (id: number, minute: number) => ({ id, at: at(minute) }) as TicketEvent
const whole = { hasMore: false, hasNewer: false }
const ids = (story: ReturnType<typeof placed>) =>
  Object.fromEntries([...story].map(([before, events]) => [before, events.map(({ id }) => id)]))

test('what happened stands before the first message that was said after it, though one came late', () => {
  const messages = [sent('a', 1), sent('b', 5), sent('late', 2), sent('c', 9)]
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
  const messages = [sent('a', 5), sent('b', 6)]
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

const hours = fc.integer({ min: 0, max: 200 })
const of = fc.integer({ min: 1, max: 3 })
const hour = (passed: number) => new Date(Date.parse(at(0)) + passed * 3_600_000).toISOString()

test('whatever happened and whatever was said stands in order, under its own day and its own ticket', () => {
  const talk = fc.array(fc.record({ hour: hours, of }), { minLength: 1 })
  fc.assert(
    fc.property(talk, fc.array(fc.record({ hour: hours, of })), (sent, story) => {
      const messages = sent.map(
        ({ hour: passed, of }, at) =>
          ({
            id: `m${at}`,
            ticketId: of,
            createdAt: hour(passed),
            ticket: { protocol: `p${of}` },
          }) as Message,
      )
      const events = story.map(
        ({ hour: passed, of }, id) => ({ id, ticketId: of, at: hour(passed) }) as TicketEvent,
      )
      const before = placed(events, messages, whole)
      const protocols = protocolsOf(messages)
      let [day, protocol] = ['', `p${messages[0]!.ticketId}`]
      let since = -1
      const placedIds: number[] = []
      for (const [place, next] of [...messages, undefined].entries()) {
        const last = messages[place - 1]
        for (const row of between(last, before.get(next?.id ?? '') ?? [], next, protocols)) {
          if ('day' in row) day = clock(row.day).format('YYYY-MM-DD')
          if ('protocol' in row) protocol = row.protocol
          if (!('happened' in row)) continue
          const { happened } = row
          placedIds.push(happened.id)
          expect(Date.parse(happened.at)).toBeGreaterThanOrEqual(since)
          since = Date.parse(happened.at)
          expect(next === undefined || next.createdAt > happened.at).toBe(true)
          expect(day).toBe(clock(happened.at).format('YYYY-MM-DD'))
          if (place > 0 && protocols.has(happened.ticketId)) expect(protocol).toBe(`p${happened.ticketId}`)
        }
        if (!next) continue
        expect(day).toBe(clock(next.createdAt).format('YYYY-MM-DD'))
        expect(protocol).toBe(next.ticket.protocol)
      }
      expect(placedIds.toSorted((a, b) => a - b)).toEqual(events.map(({ id }) => id))
    }),
  )
})
