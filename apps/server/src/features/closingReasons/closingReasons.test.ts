import { closingReasonChannel, closingReasons } from '@balcao/contract/closingReasons.ts'
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

const rest = { spam: true, active: true, queueIds: [] as number[] }
const add = (name: string, who = admin) => who.get(closingReasons.create, { body: { name, ...rest } })
const list = async (searchParam: string, who = admin) =>
  (await who.get(closingReasons.list, { query: { searchParam } })).closingReasons

test('a closing reason is added, found by its words, changed and deleted', async () => {
  const added = await add('Lua')
  expect(added).toEqual({ id: expect.any(Number), name: 'Lua', ...rest })
  expect(await list('LUA')).toEqual([added])

  const params = { closingReasonId: added.id }
  const body = { name: 'sol', spam: false, active: false, queueIds: [] }
  const changed = await admin.get(closingReasons.change, { params, body })
  expect(changed).toEqual({ ...added, ...body })
  expect(await admin.get(closingReasons.show, { params })).toEqual(changed)

  expect(await admin.call(closingReasons.create, { body: { name: 'SOL' } })).toMatchObject({
    status: 409,
    body: { error: 'ERR_NAME_EXISTS', field: 'name' },
  })

  await admin.get(closingReasons.remove, { params })
  expect(await list('sol')).toEqual([])
})

test('twenty a page, in order whatever the case', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto${String(at).padStart(2, '0')}`)
  const page = (pageNumber: number) =>
    admin.get(closingReasons.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.closingReasons.length, first.hasMore]).toEqual([20, true])
  expect(second).toMatchObject({ closingReasons: [{ name: 'Ponto20' }], hasMore: false })
})

test('every change is heard by the whole company, and by no other', async () => {
  const [pushes, elsewhere] = [
    await admin.subscribe(closingReasonChannel),
    await stranger.subscribe(closingReasonChannel),
  ]
  const added = await add('ouvida')
  const params = { closingReasonId: added.id }
  const changed = await admin.get(closingReasons.change, { params, body: { ...rest, name: 'lida' } })
  await admin.get(closingReasons.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', closingReason: added },
    { action: 'update', closingReason: changed },
    { action: 'delete', closingReasonId: added.id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there', async () => {
  const theirs = await add('segredo', stranger)
  const params = { closingReasonId: theirs.id }
  expect(await list('segredo')).toEqual([])
  for (const route of [closingReasons.show, closingReasons.remove])
    expect((await admin.call(route, { params })).status).toBe(404)
  const body = { ...rest, name: 'meu' }
  expect((await admin.call(closingReasons.change, { params, body })).status).toBe(404)
  expect(await list('segredo', stranger)).toEqual([theirs])
})

test.each([
  [{ ...rest, name: '' }, 'name'],
  [{ ...rest, name: 'a' }, 'name'],
  [{ ...rest, name: 'a'.repeat(51) }, 'name'],
  [{ ...rest, name: 'fila', queueIds: [-1] }, 'queueIds.0'],
])('what is missing, too short or too long is refused with its field: case %#', async (body, field) => {
  const answer = await admin.call(closingReasons.create, { body })
  expect([answer.status, answer.body.field]).toEqual([400, field])
})
