import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { chatEventIn, eventIn, orderedIn, orderIn, outlineOf, pollIn } from './kinds.rules.ts'
import { ChatEventData, EventData, FormData, Happening, PollData } from './kinds.ts'
import { cardsIn, choicesIn, formIn, linkIn, placeIn } from './media.rules.ts'
import { CardData, ChoiceData, LinkData, OrderData, PlaceData } from './media.ts'

type Read = (message: { dataJson: string | null }) => unknown

/** Nearly what the shapes want: each value may be anything, or not there. */
const nearly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, right]) => [
        name,
        fc.oneof({ weight: 8, arbitrary: right }, fc.jsonValue()),
      ]),
    ),
    { requiredKeys: [] },
  )

const text = fc.string()
const yes = fc.boolean()
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const phone = nearly({ number: text, onWhatsApp: yes })
const person = { by: text, name: text, at: text }
const many = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 102, size: 'max' })

const carried: [name: string, read: Read, shape: z.ZodType, fc.Arbitrary<unknown>][] = [
  [
    'place',
    placeIn,
    PlaceData,
    nearly({
      latitude: fc.integer({ min: -92, max: 92 }),
      longitude: fc.double({ min: -181, max: 181, noNaN: true }),
      ...{ name: text, address: text, isLive: yes, movedAt: text, sequence: number },
    }),
  ],
  [
    'contacts',
    message => {
      const contacts = cardsIn(message)
      return contacts && { contacts }
    },
    CardData,
    nearly({ contacts: many(nearly({ name: text, phones: fc.array(phone, { maxLength: 3 }) })) }),
  ],
  ['link', linkIn, LinkData, nearly({ url: text, title: text, description: text, thumbnail: text })],
  [
    'choices',
    message => {
      const choices = choicesIn(message)
      return choices && { choices }
    },
    ChoiceData,
    nearly({ choices: many(text) }),
  ],
  [
    'an order',
    orderIn,
    OrderData,
    nearly({
      items: many(
        nearly({ product: text, name: text, quantity: number, price: fc.option(number), currency: text }),
      ),
      ...{
        note: fc.option(text),
        title: text,
        count: fc.option(number),
        total: fc.option(number),
        currency: text,
      },
    }),
  ],
  [
    'a poll',
    pollIn,
    PollData,
    nearly({
      choices: many(text),
      isMultiple: yes,
      votes: fc.array(nearly({ ...person, choices: fc.array(number, { maxLength: 3 }) }), { maxLength: 3 }),
    }),
  ],
  [
    'an event',
    eventIn,
    EventData,
    nearly({
      ...{ name: text, description: text, place: text, isCanceled: yes },
      ...{ startsAt: fc.option(text), endsAt: fc.option(text) },
      replies: fc.array(
        nearly({ ...person, reply: fc.constantFrom('going', 'maybe', 'notGoing'), guests: number }),
        { maxLength: 3 },
      ),
    }),
  ],
  [
    'a form',
    message => {
      const fields = formIn(message)
      return fields && { fields }
    },
    FormData,
    nearly({ fields: many(nearly({ label: text, value: text })) }),
  ],
  [
    'a line of the chat',
    chatEventIn,
    ChatEventData,
    nearly({ what: fc.constantFrom(...Happening.options), people: many(text) }),
  ],
]

describe.each(carried)('what a message carries: %s', (_, read, shape, some) => {
  test('is read as its shape reads it, and nothing else is', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: some }, fc.jsonValue()), value => {
        const dataJson = JSON.stringify(value)
        const { success, data } = shape.safeParse(JSON.parse(dataJson))
        expect(read({ dataJson })).toEqual(success ? data : null)
      }),
      { numRuns: 500 },
    )
  })

  test.each([null, '', 'nada', '{"latitude":1e999,"longitude":0}'])('%s carries none', dataJson => {
    expect(read({ dataJson })).toBeNull()
  })
})

test('an order is one line in a sheet; what is no order has none', () => {
  const items = [
    { product: 'sonho', quantity: 2, price: 8.5, currency: 'BRL' },
    { product: 'pão', quantity: 1, price: null, currency: '' },
  ]
  expect(orderedIn({ dataJson: JSON.stringify({ items }) })).toBe('2 × sonho @ 8.5 BRL, 1 × pão')
  for (const dataJson of [null, '{', '{"items":[{"product":1}]}', '{"contacts":[]}'])
    expect(orderedIn({ dataJson })).toBe('')
})

const data = (value: object) => JSON.stringify(value)

test.each([
  [
    'poll',
    data({ choices: ['Sim', 'Não'], votes: [{ by: '1', name: 'Ana', at: '', choices: [0] }] }),
    'Sim: 1, Não: 0',
  ],
  [
    'event',
    data({
      ...{ name: 'Festa', description: '', place: 'Sede', startsAt: '2026-06-24T18:00:00Z', endsAt: null },
      ...{ isCanceled: false, replies: [{ by: '1', name: 'Bia', at: '', reply: 'going', guests: 0 }] },
    }),
    '2026-06-24T18:00:00Z · Sede · + Bia',
  ],
  ['chat_event', data({ what: 'added', people: ['Ana', 'Bia'] }), 'Ana, Bia'],
  ['poll', '{}', ''],
  ['image', null, ''],
])('a sheet has in one line what the body of a message does not say: %s', (mediaType, dataJson, line) => {
  expect(outlineOf({ mediaType, dataJson })).toBe(line)
})

test('an order without its items is its title, their number and the total', () => {
  const order = { items: [], title: 'Padaria', count: 3, total: 25.5, currency: 'BRL' }
  expect(orderedIn({ dataJson: data(order) })).toBe('Padaria 3 × 25.5 BRL')
})
