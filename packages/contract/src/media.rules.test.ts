import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { cardsIn, choicesIn, linkIn, orderedIn, orderIn, placeIn } from './media.rules.ts'
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
const many = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 102, size: 'max' })

const carried: [name: string, read: Read, shape: z.ZodType, fc.Arbitrary<unknown>][] = [
  [
    'place',
    placeIn,
    PlaceData,
    nearly({
      latitude: fc.integer({ min: -92, max: 92 }),
      longitude: fc.double({ min: -181, max: 181, noNaN: true }),
      ...{ name: text, address: text, isLive: yes },
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
    message => {
      const items = orderIn(message)
      return items && { items }
    },
    OrderData,
    nearly({
      items: many(nearly({ product: text, quantity: number, price: fc.option(number), currency: text })),
    }),
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
