import { integrations } from '@balcao/contract/integrations.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrationOf, type ModelScene, setModelScene } from '../../../testing/models.ts'
import { integrations as table } from './integrations.table.ts'

let scene: ModelScene
beforeAll(async () => {
  scene = await setModelScene()
})
afterAll(() => scene.end())

const add = async (body: object) =>
  (await scene.master.get(integrations.create, { body: { ...integrationOf(scene.model), ...body } })).id
const tried = async (integrationId: number) =>
  scene.master.get(integrations.test, { params: { integrationId } })

test('an integration is added, found, changed and deleted, and its key is shown to nobody [API-042, ENTITY-038, INTEG-001, INTEG-005]', async () => {
  const { master, model } = scene
  const body = {
    ...integrationOf(model),
    name: 'Chat da casa',
    message: 'Olá',
    dataJson: '{"headers":{"X-Org":"a"}}',
  }
  const added = await master.get(integrations.create, { body })
  expect(added).toEqual({ ...body, id: expect.any(Number), apiToken: '••••0001', integrationType: 'openai' })
  const list = async () =>
    (await master.get(integrations.list, { query: { searchParam: 'da casa' } })).integrations
  expect(await list()).toEqual([added])

  const params = { integrationId: added.id }
  const changed = await master.get(integrations.change, { params, body: { ...added, name: 'Da casa' } })
  expect(changed).toEqual({ ...added, name: 'Da casa' })
  expect(await master.get(integrations.show, { params })).toEqual(changed)
  expect((await tried(added.id)).failure).toBeNull()
  await master.get(integrations.remove, { params })
  expect(await list()).toEqual([])
  expect((await master.call(integrations.show, { params })).status).toBe(404)
})

test('a search is a page of twenty at a time, by name [INTEG-004]', async () => {
  for (let at = 10; at < 31; at++) await add({ name: `Página ${at}` })
  const page = (pageNumber: number) =>
    scene.master.get(integrations.list, { query: { searchParam: 'página', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect(first.integrations.map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Página ${at + 10}`),
  )
  expect([first.hasMore, second.hasMore, second.integrations.map(({ name }) => name)]).toEqual([
    true,
    false,
    ['Página 30'],
  ])
})

test('the key lies sealed in the database [INTEG-005]', async () => {
  const rows = await scene.app.platform.scopes.platform().transaction(sql => sql.select().from(table))
  for (const { apiToken } of rows) expect(apiToken).toMatch(/^v1\./)
})

test('the kept key never travels to another address', async () => {
  const integrationId = await add({})
  const shown = await scene.master.get(integrations.show, { params: { integrationId } })
  const body = { ...shown, apiUrl: 'https://outra.test/v1' }
  const answer = await scene.master.call(integrations.change, { params: { integrationId }, body })
  expect([answer.status, answer.body.field]).toEqual([400, 'apiToken'])
})

test('trying an address tells its models with their last day, or why it does not answer', async () => {
  const { model } = scene
  expect(await tried(await add({}))).toMatchObject({
    failure: null,
    models: expect.arrayContaining([{ id: 'gpt-3.5-turbo', ends: '2026-10-23' }]),
  })
  const wrong = await tried(await add({ apiToken: 'sk-errada-9999' }))
  expect([wrong.failure, wrong.models]).toEqual(['key', []])
  expect(JSON.stringify(wrong)).not.toContain('sk-errada-9999')
  expect((await tried(await add({ apiUrl: `${model.url}/nada` }))).failure).toBe('refused')
  model.unknown.length = 0
  expect((await tried(await add({ apiUrl: 'http://127.0.0.1:9' }))).failure).toBe('unreachable')
})

test.each([
  'http://10.0.0.1/v1',
  'http://169.254.169.254/latest',
  'http://[::1]:11434/v1',
  'http://192.168.0.10:11434/v1',
])('an address in a private range is not called unless the operator allows it: %s', async apiUrl =>
  expect((await tried(await add({ apiUrl }))).failure).toBe('address'),
)

test.each<[object, string]>([
  [{ name: '' }, 'name'],
  [{ apiToken: '' }, 'apiToken'],
  [{ apiUrl: 'ftp://x' }, 'apiUrl'],
  [{ apiUrl: 'http://user:senha@x.test' }, 'apiUrl'],
  [{ integrationType: 'outra' }, 'integrationType'],
  [{ dataJson: '{"a":1}' }, 'dataJson'],
])(
  'what is missing or wrong is refused with its field: case %# [INTEG-002, INTEG-003]',
  async (body, field) => {
    const answer = await scene.master.call(integrations.create, {
      body: { ...integrationOf(scene.model), ...body },
    })
    expect([answer.status, answer.body.field]).toEqual([400, field])
  },
)

test('only masters come near it [API-042]', async () => {
  const admin = await scene.app.as('admin@balcao.test')
  expect((await admin.call(integrations.list)).status).toBe(403)
})
