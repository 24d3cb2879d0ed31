import { expect, expectTypeOf, test } from 'vitest'
import { type Emitted, event, following, payloadOf, signal, within } from './events.ts'
import { type Feature, itemsOf } from './features.ts'
import { chore, job } from './work/jobs.ts'

const moved = event<{ who: string }>('test.moved')
const left = event<{ at: number }>('test.left')

test('a list of a feature holds items of several kinds; each kind is taken out of it in the order of the features', () => {
  const nightly = (name: string) => chore(name, '1 2 * * *', async () => {})
  const letter = (name: string) => job<{ to: string }>(name, async () => {})
  const looks = signal(moved, () => 'looks')
  const features: Feature[] = [
    { name: 'lower', jobs: [nightly('first'), letter('mail'), nightly('second')] },
    { name: 'higher', jobs: [nightly('third')], reacts: [within(moved, () => {}), looks] },
    { name: 'empty' },
  ]
  expect(itemsOf(features, 'chore').map(({ name }) => name)).toEqual(['first', 'second', 'third'])
  expect(itemsOf(features, 'job').map(({ name }) => name)).toEqual(['mail'])
  expect(itemsOf(features, 'signal')).toEqual([looks])
  expect(itemsOf(features, 'due')).toEqual([])
})

test('what follows an event gets the payload of this event with its type, and is not called for another', () => {
  const names: string[] = []
  const follow = following(moved, ({ who }, greeting: string) => names.push(`${greeting} ${who}`))
  const emitted: Emitted[] = [
    { event: moved, payload: { who: 'Ana' } },
    { event: left, payload: { at: 1 } },
  ]
  for (const one of emitted) follow(one, 'Olá')
  expect(names).toEqual(['Olá Ana'])
  const payload = payloadOf(left, emitted[1]!)
  expectTypeOf(payload).toEqualTypeOf<{ at: number } | null>()
  expect([payload, payloadOf(left, emitted[0]!)]).toEqual([{ at: 1 }, null])
})
