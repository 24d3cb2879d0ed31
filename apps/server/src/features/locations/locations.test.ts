import type { Route } from '@balcao/contract/kit.ts'
import { locations } from '@balcao/contract/locations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const add = (name: string, who = marina) =>
  who.get(locations.create, { body: { name, latitude: -23.5505, longitude: -46.6333 } })
const named = async (searchParam: string, who = marina) =>
  (await who.get(locations.list, { query: { searchParam } })).locations.map(({ name }) => name)

test('a place is saved, found by its name, changed and deleted [API-026, OP-106]', async () => {
  const { id: locationId, companyId } = await add('Loja Moema')
  expect(companyId).toBe(marina.user.companyId)
  const changed = await marina.get(locations.change, { params: { locationId }, body: { latitude: 1.25 } })
  expect(changed).toMatchObject({ name: 'Loja Moema', latitude: 1.25, longitude: -46.6333 })
  expect(await named('MOEMA')).toEqual(['Loja Moema'])
  await admin.get(locations.remove, { params: { locationId } })
  expect(await named('moema')).toEqual([])
  expect((await marina.call(locations.show, { params: { locationId } })).status).toBe(404)
})

test('twenty a page, by name whatever the case [LOC-012, API-026]', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto ${String(at).padStart(2, '0')}`)
  const page = (pageNumber: number) =>
    marina.get(locations.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.locations.length, first.hasMore]).toEqual([20, true])
  expect(second).toMatchObject({ locations: [{ name: 'Ponto 20' }], hasMore: false })
})

test('of another company it is not there', async () => {
  const { id: locationId } = await add('Segredo', stranger)
  expect(await named('segredo')).toEqual([])
  for (const route of [locations.show, locations.remove])
    expect((await admin.call(route, { params: { locationId } })).status).toBe(404)
  const change = { params: { locationId }, body: { name: 'Meu' } }
  expect((await marina.call(locations.change, change)).status).toBe(404)
  expect(await named('segredo', stranger)).toEqual(['Segredo'])
})

test.each([
  [{ latitude: 1, longitude: 1 }, 'name'],
  [{ name: 'Loja', longitude: 1 }, 'latitude'],
  [{ name: 'Loja', latitude: 91, longitude: 1 }, 'latitude'],
  [{ name: 'Loja', latitude: 1, longitude: 'oeste' }, 'longitude'],
])('is refused with the field at fault: %o', async (body, field) => {
  const answer = await marina.call<Route>(locations.create, { body })
  expect([answer.status, answer.body.field]).toEqual([400, field])
})
