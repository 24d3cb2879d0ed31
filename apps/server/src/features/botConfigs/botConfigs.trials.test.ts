import { botConfigs, botSimulator, botSimulatorChannel } from '@balcao/contract/botConfigs.ts'
import { integrations } from '@balcao/contract/integrations.ts'
import { refusals } from '@balcao/openai-server/refusals.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrationOf, type ModelScene, setModelScene } from '../../../testing/models.ts'
import { type Person, until } from '../../../testing/test-app.ts'

let scene: ModelScene
let admin: Person
beforeAll(async () => {
  scene = await setModelScene()
  admin = await scene.app.as('admin@balcao.test')
})
afterAll(() => scene.end())

const add = async (name: string) =>
  (await admin.get(botConfigs.create, { body: { name, context: 'Somos a Lume.', model: 'gpt-4o' } })).id
const say = (botConfigId: number, body: string, more = {}) =>
  admin.get(botSimulator.send, { body: { botConfigId, message: { body, fromMe: true }, ...more } })
const show = (botConfigId: number) => admin.get(botSimulator.show, { params: { botConfigId } })
const trialWith = (botConfigId: number, count: number) =>
  until(async () => {
    const { messages } = await show(botConfigId)
    return messages.length === count && messages
  })

test('a prompt is tried in a conversation that is answered live, with its status and its cost [API-044, EVENT-021, ENTITY-040, OP-130 … OP-131, SIM-001, SIM-002 … SIM-005]', async () => {
  const botConfigId = await add('Vendas')
  const stranger = await scene.app.as('admin@outra.test')
  const marina = await scene.app.as('atendente@balcao.test')
  const channel = botSimulatorChannel(botConfigId)
  const pushes = await admin.subscribe(channel)
  const others = [await stranger.subscribe(channel), await marina.subscribe(channel)]
  scene.model.script.next({ text: 'Temos sim.', usage: { prompt_tokens: 30, completion_tokens: 5 } })
  const { messages } = await say(botConfigId, 'Tem sofá?')
  expect(messages).toMatchObject([{ body: 'Tem sofá?', fromMe: true, effect: null }])
  await until(() => pushes.length === 4)
  expect(pushes).toMatchObject([
    { action: 'create', message: { body: 'Tem sofá?', fromMe: true } },
    { action: 'status', status: 'composing' },
    {
      action: 'create',
      message: { body: 'Temos sim.', fromMe: false, effect: { tokens: 35, failure: null } },
    },
    { action: 'status', status: 'online' },
  ])
  expect(others).toEqual([[], []])
  expect(await show(botConfigId)).toMatchObject({ status: 'online', messages: [{}, { body: 'Temos sim.' }] })
  await say(botConfigId, 'Em azul?')
  await trialWith(botConfigId, 4)
  expect(scene.model.calls.at(-1)!.asked.messages.slice(1)).toEqual([
    { role: 'user', content: 'Tem sofá?' },
    { role: 'assistant', content: 'Temos sim.' },
    { role: 'user', content: 'Em azul?' },
  ])
})

test('what it would have done to a ticket is told, and nothing is done', async () => {
  const botConfigId = await add('Triagem')
  scene.model.script.next({ calls: [{ name: 'handOver', args: { queue: 'Vendas' } }] })
  await say(botConfigId, 'Quero comprar')
  const [, answer] = await trialWith(botConfigId, 2)
  expect(answer!.effect).toMatchObject({ handedTo: 'Vendas', ended: false })
})

test('why the model does not answer is told at once, and kept for the admin', async () => {
  const botConfigId = await add('Quebrado')
  scene.model.script.next({ refuse: refusals.noQuota() })
  await say(botConfigId, 'Oi')
  const [, answer] = await trialWith(botConfigId, 2)
  expect(answer).toMatchObject({
    body: '',
    effect: { failure: 'quota', detail: expect.stringContaining('quota') },
  })
  const { answers } = await admin.get(botConfigs.answers, { params: { botConfigId } })
  expect(answers).toMatchObject([{ outcome: 'failed', failure: 'quota', ticketId: null }])
})

test('the conversation is cleared for everybody who looks at it, and begins anew [EVENT-021, SIM-006]', async () => {
  const botConfigId = await add('Limpo')
  await say(botConfigId, 'Antes')
  await trialWith(botConfigId, 2)
  const pushes = await admin.subscribe(botSimulatorChannel(botConfigId))
  expect(await admin.get(botSimulator.send, { body: { botConfigId, clearConversation: true } })).toEqual({
    messages: [],
  })
  await until(() => pushes.length > 0)
  expect(pushes[0]).toEqual({ action: 'delete', messageId: null })
  await say(botConfigId, 'Depois')
  await trialWith(botConfigId, 2)
  expect(scene.model.calls.at(-1)!.asked.messages.slice(1)).toEqual([{ role: 'user', content: 'Depois' }])
})

test('without an integration its name is echoed, marked as offline [OP-130 … OP-131, SIM-001]', async () => {
  const { master, integrationId, model } = scene
  await master.get(integrations.remove, { params: { integrationId } })
  const botConfigId = await add('Eco')
  expect((await show(botConfigId)).status).toBe('offline')
  const pushes = await admin.subscribe(botSimulatorChannel(botConfigId))
  await say(botConfigId, 'Alguém aí?')
  await until(() => pushes.length === 4)
  expect(pushes.slice(2)).toMatchObject([
    { action: 'create', message: { body: 'Eco', effect: { failure: 'none' } } },
    { action: 'status', status: 'offline' },
  ])
  await master.get(integrations.create, { body: integrationOf(model) })
})

test('nothing said, too much said, and a prompt of nobody are refused with their field [API-044]', async () => {
  const botConfigId = await add('Estrito')
  for (const body of ['', 'a'.repeat(4_001)]) {
    const answer = await admin.call(botSimulator.send, { body: { botConfigId, message: { body } } })
    expect([answer.status, answer.body.field]).toEqual([400, 'message.body'])
  }
  const lost = await admin.call(botSimulator.send, { body: { botConfigId: 2_000_000_000 } })
  expect(lost.status).toBe(404)
})

test('a trial begins with the initial messages, before what the model answers; its Markdown is written as WhatsApp shows it', async () => {
  const { id } = await admin.get(botConfigs.create, {
    body: { name: 'Saudação', model: 'gpt-4o', initialMessages: ['Olá!', 'Sou a Lua.'] },
  })
  scene.model.script.next({ text: '## Sofás\n**Sim**, em [nosso site](https://lume.test).' })
  await say(id, 'Tem sofá?')
  const messages = await trialWith(id, 4)
  expect(messages.map(({ body }) => body)).toEqual([
    'Tem sofá?',
    'Olá!',
    'Sou a Lua.',
    '*Sofás*\n*Sim*, em nosso site: https://lume.test.',
  ])
  expect(scene.model.calls.at(-1)!.asked.messages.slice(1)).toEqual([
    { role: 'assistant', content: 'Olá!' },
    { role: 'assistant', content: 'Sou a Lua.' },
    { role: 'user', content: 'Tem sofá?' },
  ])
})
