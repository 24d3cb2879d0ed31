import { DEFAULTS } from '@balcao/contract/botConfigs.rules.ts'
import { type BotConfigInput, botConfigChannel, botConfigs } from '@balcao/contract/botConfigs.ts'
import { queues } from '@balcao/contract/queues.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type ModelScene, setModelScene } from '../../../testing/models.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { knownPrompts, namedPrompts } from './botConfigs.queries.ts'

let scene: ModelScene
let admin: Person
let stranger: Person
beforeAll(async () => {
  scene = await setModelScene()
  admin = await scene.app.as('admin@balcao.test')
  stranger = await scene.app.as('admin@outra.test')
})
afterAll(() => scene.end())

const add = (body: Partial<z.input<typeof BotConfigInput>>, who = admin) =>
  who.get(botConfigs.create, { body: { name: 'Vendas', ...body } })
const list = async (searchParam: string, who = admin) =>
  (await who.get(botConfigs.list, { query: { searchParam } })).botConfigs

test('a prompt begins with the documented values, is found, changed and deleted [API-043, ENTITY-039, BOTCFG-011 … BOTCFG-019, BOTCFG-021, BOTCFG-024]', async () => {
  const added = await add({ name: 'Lua', context: 'Você vende móveis.' })
  expect(added).toEqual({
    ...{
      id: expect.any(Number),
      companyId: admin.user.companyId,
      name: 'Lua',
      context: 'Você vende móveis.',
    },
    ...{
      isDeleted: false,
      ignoreWords: '',
      stop: '',
      initialMessages: [],
      lastQueueId: null,
      readsNotes: false,
    },
    ...DEFAULTS,
  })
  const shown = { id: added.id, name: 'Lua', model: 'gpt-3.5-turbo' }
  expect(await list('LUA')).toEqual([shown])

  const params = { botConfigId: added.id }
  const [queue] = await admin.get(queues.list)
  const body = {
    ...added,
    model: 'meu-modelo',
    initialMessages: ['Oi', 'Sou a Lua'],
    lastQueueId: queue!.id,
    readsNotes: true,
  }
  const changed = await admin.get(botConfigs.change, { params, body })
  expect(changed).toEqual(body)
  expect(await admin.get(botConfigs.show, { params })).toEqual(changed)

  await admin.get(botConfigs.remove, { params })
  expect(await list('Lua')).toEqual([])
  expect((await admin.call(botConfigs.show, { params })).status).toBe(404)
})

test('twenty a page by name, and the search looks at the model too [BOTCFG-004, BOTCFG-007]', async () => {
  for (let at = 20; at >= 0; at--) await add({ name: `Ponto ${String(at).padStart(2, '0')}`, model: 'raro' })
  const page = (pageNumber: number) =>
    admin.get(botConfigs.list, { query: { searchParam: 'raro', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.botConfigs.length, first.hasMore]).toEqual([20, true])
  expect(second).toMatchObject({ botConfigs: [{ name: 'Ponto 20' }], hasMore: false })
})

test.each([
  ['maxMessagesForDialog', [1, 101]],
  ['firstDelay', [-1, 31, 1.5]],
  ['lastDelay', [-1, 31]],
  ['typingSpeed', [-1, 101]],
  ['temperature', [-0.1, 1, 0.15]],
  ['maxTokens', [99, 2001, 105]],
  ['topP', [-0.1, 1]],
  ['frequencyPenalty', [-0.1, 1]],
  ['presencePenalty', [-0.1, 1.1]],
  ['name', ['', 'a'.repeat(101)]],
  ['context', ['a'.repeat(100_000)]],
  ['stop', ['a,b,c,d,e']],
  ['lastQueueId', ['x']],
])('what is out of its range is refused by its name: %s [BOTCFG-011 … BOTCFG-019]', async (field, values) => {
  for (const value of values) {
    const body = Object.assign({ name: 'Vendas' }, { [field]: value })
    const answer = await admin.call(botConfigs.create, { body })
    expect([answer.status, answer.body.field]).toEqual([400, field])
  }
})

test('numbers that come as text are read, and the ends of the ranges are taken [BOTCFG-011 … BOTCFG-019]', async () => {
  const least = {
    maxMessagesForDialog: '2',
    temperature: '0.9',
    maxTokens: 100,
    presencePenalty: 1,
    topP: 0.9,
  }
  expect(await add(least)).toMatchObject({ maxMessagesForDialog: 2, temperature: 0.9, presencePenalty: 1 })
})

test('the models of the documents come first, with the day their maker ends them, then what the integration offers [BOTCFG-020]', async () => {
  const { models, failure } = await admin.get(botConfigs.models)
  expect([failure, models[0]]).toEqual([null, { id: 'gpt-3.5-turbo', ends: '2026-10-23' }])
  expect(models.map(({ id }) => id)).toEqual(['gpt-3.5-turbo', 'gpt-4', 'gpt-4o', 'gpt-5-mini', 'plain'])
})

test('a prompt leads to no queue when its queue is deleted [BOTCFG-025]', async () => {
  const queue = await admin.get(queues.create, { body: { name: 'Passageira', color: '#0a0b0c' } })
  const { id } = await add({ lastQueueId: queue.id })
  await admin.get(queues.remove, { params: { queueId: queue.id } })
  expect((await admin.get(botConfigs.show, { params: { botConfigId: id } })).lastQueueId).toBeNull()
})

test('every change is heard by the company and by no other, and says nothing of the context', async () => {
  const [pushes, elsewhere] = [
    await admin.subscribe(botConfigChannel),
    await stranger.subscribe(botConfigChannel),
  ]
  const { id } = await add({ name: 'Ouvida', context: 'segredo' })
  const params = { botConfigId: id }
  await admin.get(botConfigs.change, { params, body: { name: 'Lida' } })
  await admin.get(botConfigs.remove, { params })
  await until(() => pushes.length === 3)
  expect(pushes).toEqual([
    { action: 'create', botConfig: { id, name: 'Ouvida', model: 'gpt-3.5-turbo' } },
    { action: 'update', botConfig: { id, name: 'Lida', model: 'gpt-3.5-turbo' } },
    { action: 'delete', botConfigId: id },
  ])
  expect(elsewhere).toEqual([])
})

test('of another company it is not there, nor are its queues [BOTCFG-025]', async () => {
  const theirs = await add({ name: 'Segredo' }, stranger)
  const params = { botConfigId: theirs.id }
  expect(await list('Segredo')).toEqual([])
  for (const route of [botConfigs.show, botConfigs.remove, botConfigs.answers])
    expect((await admin.call(route, { params })).status).toBe(404)
  const [queue] = await stranger.get(queues.list)
  const body = { name: 'Meu', lastQueueId: queue?.id ?? 2_000_000_000 }
  const answer = await admin.call(botConfigs.create, { body })
  expect([answer.status, answer.body.error, answer.body.field]).toEqual([
    404,
    'ERR_NO_QUEUE_FOUND',
    'lastQueueId',
  ])
})

test('a bot asks which prompts there are', async () => {
  const [ours, theirs] = [await add({ name: 'Nosso' }), await add({ name: 'Deles' }, stranger)]
  const shop = scene.app.platform.scopes.inCompany(admin.user.companyId)
  const asked = [ours.id, theirs.id, 2_000_000_000]
  expect(await shop.read(tx => knownPrompts(tx, asked))).toEqual([ours.id])
  expect(await shop.read(tx => namedPrompts(tx, asked))).toMatchObject([{ id: ours.id, name: 'Nosso' }])
})

test('an attendant chooses among prompts, and reads or changes none', async () => {
  const marina = await scene.app.as('atendente@balcao.test')
  const { id } = await add({})
  expect((await marina.call(botConfigs.list)).status).toBe(200)
  for (const route of [botConfigs.show, botConfigs.remove])
    expect((await marina.call(route, { params: { botConfigId: id } })).status).toBe(403)
})

test('without AI in the plan nothing is added', async () => {
  await scene.app.database.script('update plans set ia_integration_enabled = false')
  const answer = await admin.call(botConfigs.create, { body: { name: 'Fora' } })
  expect([answer.status, answer.body.error]).toEqual([402, 'ERR_NOT_IN_PLAN'])
  await scene.app.database.script('update plans set ia_integration_enabled = true')
})
