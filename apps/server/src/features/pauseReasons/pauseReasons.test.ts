import { pauseReasonChannel, pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const rest = {}
const add = (name: string, who = admin) => who.get(pauseReasons.create, { body: { name, ...rest } })
const list = async (searchParam: string, who = admin) =>
  (await who.get(pauseReasons.list, { query: { searchParam } })).pauseReasons

test('a pause reason is added, found by its words, changed and deleted', async () => {
  const added = await add('Lua')
  expect(added).toEqual({ id: expect.any(Number), name: 'Lua', ...rest })
  expect(await list('LUA')).toEqual([added])

  const params = { pauseReasonId: added.id }
  const body = { name: 'sol' }
  const changed = await admin.get(pauseReasons.change, { params, body })
  expect(changed).toEqual({ ...added, ...body })
  expect(await admin.get(pauseReasons.show, { params })).toEqual(changed)

  await admin.get(pauseReasons.remove, { params })
  expect(await list('sol')).toEqual([])
})

test('twenty a page, in order whatever the case', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto${String(at).padStart(2, '0')}`)
  const page = (pageNumber: number) =>
    admin.get(pauseReasons.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.pauseReasons.length, first.hasMore]).toEqual([20, true])
  expect(second).toMatchObject({ pauseReasons: [{ name: 'Ponto20' }], hasMore: false })
})

test('every change is heard by the whole company, and by no other', async () => {
  const [pushes, elsewhere] = [
    await admin.subscribe(pauseReasonChannel),
    await stranger.subscribe(pauseReasonChannel),
  ]
  const added = await add('ouvida')
  const params = { pauseReasonId: added.id }
  const changed = await admin.get(pauseReasons.change, { params, body: { ...rest, name: 'lida' } })
  await admin.get(pauseReasons.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', pauseReason: added },
    { action: 'update', pauseReason: changed },
    { action: 'delete', pauseReasonId: added.id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there', async () => {
  const theirs = await add('segredo', stranger)
  const params = { pauseReasonId: theirs.id }
  expect(await list('segredo')).toEqual([])
  for (const route of [pauseReasons.show, pauseReasons.remove])
    expect((await admin.call(route, { params })).status).toBe(404)
  const body = { ...rest, name: 'meu' }
  expect((await admin.call(pauseReasons.change, { params, body })).status).toBe(404)
  expect(await list('segredo', stranger)).toEqual([theirs])
})

test.each([
  [{ ...rest, name: '' }, 'name'],
  [{ ...rest, name: 'a' }, 'name'],
  [{ ...rest, name: 'a'.repeat(51) }, 'name'],
])('what is missing, too short or too long is refused with its field: case %#', async (body, field) => {
  const answer = await admin.call(pauseReasons.create, { body })
  expect([answer.status, answer.body.field]).toEqual([400, field])
})
