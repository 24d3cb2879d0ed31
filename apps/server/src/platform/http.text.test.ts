import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../testing/world.ts'

let world: World
let helena: Person
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  helena = await world.as('admin@balcao.test')
  whatsappId = (await helena.get(connections.list)).find(({ lib }) => lib === 'simulator')!.id
})
afterAll(() => world.close())

const refused = ({ status, body }: { status: number; body: { error?: string; field?: string } }) => [
  status,
  body.error,
  body.field,
]
const number = '5511987650000'

test.each([
  ['NUL', 'a\0b'],
  ['half a character', 'a\ud83d'],
])('a text with %s is refused with its field, wherever it stands', async (_what, text) => {
  const bad = (field: string) => [400, 'ERR_BAD_REQUEST', field]
  const params = { whatsappId }
  const say = (body: object) => helena.call(simulator.write, { params, body: { number, ...body } })
  expect(refused(await say({ body: text }))).toEqual(bad('body'))
  expect(refused(await say({ body: 'oi', name: text }))).toEqual(bad('name'))
  const location = { latitude: 1, longitude: 2, name: text }
  expect(refused(await say({ location }))).toEqual(bad('location.name'))
  const cards = [
    { name: 'Rui', number },
    { name: text, number },
  ]
  expect(refused(await say({ contacts: cards }))).toEqual(bad('contacts.1.name'))
  expect(refused(await helena.call(contacts.create, { body: { name: text, number } }))).toEqual(bad('name'))
})

test('so is one in the address of a call', async () => {
  const searchParam = 'a\0b'
  const answer = await helena.call(tickets.list, { query: { tab: 'search', searchParam } })
  expect(refused(answer)).toEqual([400, 'ERR_BAD_REQUEST', 'searchParam'])
})

test('whole characters of every kind are taken', async () => {
  const body = 'olá 👩‍👩‍👧 \u202e\u0007 ok'
  const answer = await helena.call(simulator.write, { params: { whatsappId }, body: { number, body } })
  expect(answer.status).toBe(200)
})
