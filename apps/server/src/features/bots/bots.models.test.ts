import { botConfigs } from '@balcao/contract/botConfigs.ts'
import { bots } from '@balcao/contract/bots.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelScene, setModelScene } from '../../../testing/models.ts'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { type Person, until } from '../../../testing/test-app.ts'

let scene: ModelScene
let admin: Person
let sales: { id: number; name: string }
/** A bot with a menu, in which 2 leads to the prompt; and one that is the prompt alone. */
let withMenu: number
let alone: number
let botConfigId: number
const MENU = '*1* - Pessoas\n*2* - Assistente\n*3* - Contar'

beforeAll(async () => {
  scene = await setModelScene()
  admin = await scene.app.as('admin@balcao.test')
  sales = await admin.get(queues.create, { body: { name: 'Vendas de teste', color: '#0a0b0c' } })
  const quick = { firstDelay: 0, lastDelay: 0, typingSpeed: 0, maxMessagesForDialog: 3 }
  const prompt = { name: 'Lua', context: 'Somos a Lume.', model: 'gpt-4o', lastQueueId: sales.id, ...quick }
  botConfigId = (await admin.get(botConfigs.create, { body: prompt })).id
  withMenu = await rowsOf(scene.app, admin).connection()
  alone = await rowsOf(scene.app, admin).connection()
  const setup = { typingTime: '1' as const, burstSeconds: 0 as const, messageOnErrorsBot: 'Digite #' }
  await admin.get(bots.addSetup, {
    body: { ...setup, name: 'Só modelo', whatsapps: [alone], botType: 'gpt', botConfigId },
  })
  const { id: botSetupId } = await admin.get(bots.addSetup, {
    body: { ...setup, name: 'Menu', whatsapps: [withMenu] },
  })
  const commands = [
    { commandBot: '1', commandType: 3, descriptionBot: 'Pessoas', queueId: sales.id },
    { commandBot: '2', commandType: 8, descriptionBot: 'Assistente', showMessage: 'Pergunte.', botConfigId },
    { commandBot: '3', commandType: 7, descriptionBot: 'Contar', showMessage: 'O quê?', forceNextFlow: '4' },
    { commandBot: '4', commandType: 8, botConfigId },
  ] as const
  for (const command of commands)
    await admin.get(bots.addCommand, {
      params: { companyId: admin.user.companyId },
      body: { botSetupId, ...command },
    })
})
afterAll(() => scene.end())
beforeEach(() => {
  scene.model.script.clear()
  scene.model.calls.length = 0
})

/** A customer at a simulated phone. */
function customer(whatsappId: number) {
  const number = newNumber()
  const heard = async () =>
    (await admin.get(simulator.chat, { params: { whatsappId, number } })).flatMap(({ fromMe, body }) =>
      fromMe ? [body] : [],
    )
  const ticket = (holds: (ticket: Ticket) => boolean = () => true) =>
    until(async () => {
      for (const status of ['pending', 'open', 'closed'] as const) {
        const { tickets: found } = await admin.get(tickets.list, { query: { status, showAll: true } })
        const own = found.find(one => one.contact.number === number && holds(one))
        if (own) return own
      }
      return null
    })
  return {
    ...{ heard, ticket },
    /** Writes, and waits until so many replies arrived in all. Answers all of them. */
    ask: async (body: string, said: number) => {
      await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
      return until(async () => {
        const words = await heard()
        return words.length >= said && words
      })
    },
    mode: async () =>
      (await admin.get(bots.showSession, { params: { ticketId: (await ticket()).id } })).session?.mode,
  }
}
const asked = (call: number) => scene.model.calls[call]!.asked.messages.slice(1)

test('a prompt that is chosen says its message, hears what is written next, and # leads back to the menu', async () => {
  const rita = customer(withMenu)
  expect(await rita.ask('oi', 1)).toEqual([MENU])
  expect(await rita.ask('2', 2)).toEqual([MENU, 'Pergunte.'])
  scene.model.script.next({ text: 'Às nove.' })
  expect((await rita.ask('Quando abrem?', 3)).at(-1)).toBe('Às nove.')
  expect(asked(0)).toEqual([
    { role: 'assistant', content: 'Pergunte.' },
    { role: 'user', content: 'Quando abrem?' },
  ])
  expect(await rita.mode()).toBe('prompt')
  expect((await rita.ask('#', 4)).at(-1)).toBe(MENU)
  expect([await rita.mode(), scene.model.calls.length]).toEqual(['menu', 1])
})

test('an answer that leads to a prompt is what the model hears first', async () => {
  const rita = customer(withMenu)
  await rita.ask('oi', 1)
  await rita.ask('3', 2)
  scene.model.script.next({ text: 'Que pena.' })
  expect((await rita.ask('O sofá quebrou', 3)).at(-1)).toBe('Que pena.')
  expect(asked(0).at(-1)).toEqual({ role: 'user', content: 'O sofá quebrou' })
})

test('a bot that is a prompt answers the first word, and hands over when the model says so: then neither speaks', async () => {
  const rita = customer(alone)
  scene.model.script.next(
    { text: 'Olá, Rita!' },
    { text: 'Chamo alguém.', calls: [{ name: 'handOver', args: { queue: sales.name } }] },
  )
  expect(await rita.ask('oi', 1)).toEqual(['Olá, Rita!'])
  expect((await rita.ask('Quero uma pessoa', 2)).at(-1)).toBe('Chamo alguém.')
  expect(await rita.ticket(({ queueId }) => queueId === sales.id)).toMatchObject({ status: 'pending' })
  expect(await rita.mode()).toBe('handed')
  await rita.ask('Alô?', 2)
  await rita.ticket(({ lastMessage }) => lastMessage === 'Alô?')
  expect([(await rita.heard()).length, scene.model.calls.length]).toEqual([2, 2])
})

test('after a handover from a menu # brings the menu back, and the prompt may be chosen again', async () => {
  const rita = customer(withMenu)
  await rita.ask('oi', 1)
  await rita.ask('2', 2)
  scene.model.script.next(
    { calls: [{ name: 'handOver', args: { queue: sales.name } }] },
    { text: 'De novo.' },
  )
  await rita.ask('Uma pessoa', 3)
  await rita.ticket(({ queueId }) => queueId === sales.id)
  expect((await rita.ask('#', 4)).at(-1)).toBe(MENU)
  expect((await rita.ask('2', 5)).at(-1)).toBe('Pergunte.')
  expect((await rita.ask('E agora?', 6)).at(-1)).toBe('De novo.')
})

test('a model that ends the conversation closes the ticket; the next word is met by the menu', async () => {
  const rita = customer(withMenu)
  await rita.ask('oi', 1)
  await rita.ask('2', 2)
  scene.model.script.next({ text: 'Tchau!', calls: [{ name: 'endConversation', args: {} }] })
  expect((await rita.ask('Era só isso', 3)).at(-1)).toBe('Tchau!')
  const closed = await rita.ticket(({ status }) => status === 'closed')
  expect((await rita.ask('Oi de novo', 4)).at(-1)).toBe(MENU)
  expect((await rita.ticket()).id).not.toBe(closed.id)
})

test('an attendant who takes over stops bot and model, also an answer under way; given back, the model goes on', async () => {
  const rita = customer(withMenu)
  await rita.ask('oi', 1)
  await rita.ask('2', 2)
  const params = { ticketId: (await rita.ticket()).id }
  scene.model.script.next({ text: 'Tarde demais.', delay: 2_000 }, { text: 'Aqui estou.' })
  await rita.ask('Quanto custa?', 2)
  await until(() => scene.model.calls.length === 1)
  await admin.get(tickets.change, { params, body: { status: 'open', queueId: sales.id } })
  await admin.get(messages.send, {
    params: { ...params, companyId: admin.user.companyId },
    body: { id: crypto.randomUUID(), body: 'Sou a Ana.' },
  })
  await until(async () => {
    const { answers } = await admin.get(botConfigs.answers, { params: { botConfigId } })
    return answers[0]?.outcome === 'discarded'
  })
  expect(await rita.ask('Oi, Ana', 3)).toEqual([MENU, 'Pergunte.', 'Sou a Ana.'])
  expect([await rita.mode(), scene.model.calls.length]).toEqual(['stopped', 1])
  await admin.get(bots.giveBack, { params })
  await until(async () => (await rita.heard()).length === 4)
  expect((await rita.ask('E então?', 5)).at(-1)).toBe('Aqui estou.')
  expect(await rita.mode()).toBe('prompt')
})

test('a prompt that is gone leaves the conversation to people', async () => {
  const rita = customer(alone)
  const { id } = await admin.get(botConfigs.create, {
    body: { name: 'Passageiro', context: 'x', model: 'gpt-4o', firstDelay: 0, lastDelay: 0, typingSpeed: 0 },
  })
  const { botSetups } = await admin.get(bots.listSetups)
  const { id: botSetupId } = botSetups.find(({ name }) => name === 'Só modelo')!
  await admin.get(bots.changeSetup, { params: { botSetupId }, body: { botConfigId: id } })
  await rita.ask('oi', 1)
  await admin.get(botConfigs.remove, { params: { botConfigId: id }, query: { evenIfUsed: true } })
  await rita.ask('ainda?', 1)
  await until(async () => (await rita.mode()) === 'handed')
  const { events } = await admin.get(tickets.story, { params: { ticketId: (await rita.ticket()).id } })
  expect(events.map(({ what }) => what)).toContain('botLeft')
  await admin.get(bots.changeSetup, { params: { botSetupId }, body: { botConfigId } })
})

test('lines of one burst reach a model together', async () => {
  const rita = customer(alone)
  const { botSetups } = await admin.get(bots.listSetups)
  const params = { botSetupId: botSetups.find(({ name }) => name === 'Só modelo')!.id }
  await admin.get(bots.changeSetup, { params, body: { burstSeconds: 2 } })
  await rita.ask('Oi', 0)
  expect((await rita.ask('Tem sofá?', 1)).at(-1)).toBe('Você disse: Tem sofá?')
  expect(scene.model.calls.map(({ asked }) => asked.messages.slice(1).map(({ content }) => content))).toEqual(
    [['Oi', 'Tem sofá?']],
  )
  await admin.get(bots.changeSetup, { params, body: { burstSeconds: 0 } })
})
