import { botConfigs } from '@balcao/contract/botConfigs.ts'
import { type BotSetupInput, botChannel, botDefaults, bots } from '@balcao/contract/bots.ts'
import { categories } from '@balcao/contract/categories.ts'
import { connections } from '@balcao/contract/connections.ts'
import { flows } from '@balcao/contract/flows.ts'
import { queues } from '@balcao/contract/queues.ts'
import { tags } from '@balcao/contract/tags.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { botSetups } from './bots.table.ts'

let app: TestApp
let marina: Person
let admin: Person
let stranger: Person
let rows: ReturnType<typeof rowsOf>
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

let last = 0
const addSetup = (who = admin, more: object = {}) =>
  who.get(bots.addSetup, { body: { name: `Bot ${++last}`, ...more } })
const adding = (botSetupId: number, commandBot: string, more: object = {}, who = admin) =>
  who.call(bots.addCommand, {
    params: { companyId: who.user.companyId },
    body: { botSetupId, commandBot, commandType: 1, ...more },
  })
const add = async (...given: Parameters<typeof adding>) => {
  const { status, body } = await adding(...given)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const commandsOf = async (botSetupId: number, who = admin) =>
  (await who.get(bots.listCommands, { params: { botSetupId } })).map(({ commandBot }) => commandBot)

test('what a command puts on is the tag or the category that it became', async () => {
  const label = async (name: string) => [
    (await admin.get(tags.create, { body: { name: `${name} etiqueta` } })).id,
    (await admin.get(categories.create, { body: { name: `${name} categoria`, color: '#1273de' } })).id,
  ]
  const [[tag, category], [tagInto, categoryInto]] = [await label('Primeira'), await label('Segunda')]
  const { id } = await addSetup()
  const one = await add(id, '1', { tags: [tag], botCategoryContacts: [category] })
  const both = await add(id, '2', {
    tags: [tag, tagInto],
    botCategoryContacts: [category, categoryInto],
  })
  await admin.get(tags.merge, { params: { tagId: tag! }, body: { into: tagInto! } })
  await admin.get(categories.merge, { params: { categoryId: category! }, body: { into: categoryInto! } })
  for (const { id: botId } of [one, both]) {
    const command = await admin.get(bots.showCommand, { params: { botId } })
    const ids = [command.tags, command.categoryContacts].map(named => named.map(row => row.id))
    expect(ids).toEqual([[tagInto], [categoryInto]])
  }
})

describe('setups', () => {
  test('a new one has the defaults of the documents, and keeps what it is told [OP-99 … OP-100, BOTSETUP-007 … BOTSETUP-011, BOTSETUP-014 … BOTSETUP-016, BOTSETUP-021 … BOTSETUP-022]', async () => {
    const setup = await addSetup()
    expect(setup).toEqual({
      ...botDefaults,
      id: expect.any(Number),
      name: setup.name,
      transferQueueId: null,
      botConfigId: null,
      botConfig: null,
      whatsapps: [],
      companyId: admin.user.companyId,
      userId: admin.user.id,
    })
    const [line] = (await admin.get(connections.list)) as { id: number; name: string }[]
    const settings = { typingTime: '2', countErrorsBot: 0, reopenBotAfterHours: 672 } as const
    const body = { ...settings, whatsapps: [line!.id] }
    const params = { botSetupId: setup.id }
    const changed = await admin.get(bots.changeSetup, { params, body })
    expect(changed).toMatchObject({ ...body, whatsapps: [{ id: line!.id, name: line!.name }] })
    expect(await admin.get(bots.showSetup, { params })).toEqual(changed)
    const { botSetups } = await marina.get(bots.listSetups, { query: { searchParam: setup.name } })
    expect(botSetups).toContainEqual(changed)
    const other = await addSetup()
    const taken = await admin.call(bots.changeSetup, {
      params: { botSetupId: other.id },
      body: { whatsapps: [line!.id] },
    })
    expect([taken.status, taken.body.error, taken.body.field]).toEqual([
      409,
      'ERR_BOT_CONNECTION_TAKEN',
      'whatsapps',
    ])
    await admin.get(bots.removeSetup, { params })
    expect((await admin.call(bots.showSetup, { params })).status).toBe(404)
  })

  test('whoever made it and admins change it; others copy it, with its tree [ROLE-005, ROLE-006, BOTSETUP-006]', async () => {
    const setup = await addSetup()
    const params = { botSetupId: setup.id }
    await add(setup.id, '1', { commandType: 2, showMessage: 'Oi' })
    await add(setup.id, '1.1', { descriptionBot: 'Um' })
    const tries = [
      marina.call(bots.changeSetup, { params, body: { name: 'Meu' } }),
      marina.call(bots.arrange, { params, body: { commands: [] } }),
      marina.call(bots.removeSetup, { params }),
    ]
    for (const answer of tries) expect((await answer).status).toBe(403)
    expect((await adding(setup.id, '2', {}, marina)).status).toBe(403)
    const copy = await marina.get(bots.copySetup, { params })
    expect(copy).toMatchObject({ name: `${setup.name} (cópia)`, userId: marina.user.id, whatsapps: [] })
    expect(await commandsOf(copy.id, marina)).toEqual(['1', '1.1'])
    await add(copy.id, '2', {}, marina)
    expect(await commandsOf(setup.id)).toEqual(['1', '1.1'])
    await admin.get(bots.changeSetup, { params: { botSetupId: copy.id }, body: { name: 'Do chefe' } })
  })

  test.each([
    [{ name: 'x' }, 'name'],
    [{ typingTime: '7' }, 'typingTime'],
    [{ countErrorsBot: 7 }, 'countErrorsBot'],
    [{ reopenBotAfterHours: 7 }, 'reopenBotAfterHours'],
    [{ timeWithoutQueue: 4 }, 'timeWithoutQueue'],
    [{ actionWithoutQueue: 'dance' }, 'actionWithoutQueue'],
    [{ botType: 'rare' }, 'botType'],
    [{ messageOnErrorsBot: 'a'.repeat(5_000) }, 'messageOnErrorsBot'],
  ])(
    'what the documents do not offer is refused with its field: case %# [OP-99 … OP-100, BOTSETUP-007 … BOTSETUP-011, BOTSETUP-014 … BOTSETUP-016, BOTSETUP-021 … BOTSETUP-022]',
    async (more, field) => {
      const { status, body } = await admin.call(bots.addSetup, {
        body: { name: 'Bot', ...more } as object as BotSetupInput,
      })
      expect([status, body.field]).toEqual([400, field])
    },
  )

  test('a queue or connection of another company is not there', async () => {
    const body = { name: 'Deles', color: '#123123' }
    const theirs = await stranger.get(queues.create, { body })
    const [line] = (await stranger.get(connections.list)) as { id: number }[]
    for (const [more, field] of [
      [{ transferQueueId: theirs.id }, 'transferQueueId'],
      [{ whatsapps: [line!.id] }, 'whatsapps'],
    ] as [object, string][]) {
      const answer = await admin.call(bots.addSetup, { body: { name: 'Bot', ...more } })
      expect([answer.status, answer.body.field]).toEqual([404, field])
    }
  })
})

describe('commands', () => {
  test('a command keeps everything it is told, also as the documents send it: a form with a file [BOTCMD-020, BOTCMD-021]', async () => {
    const setup = await addSetup()
    const tag = await admin.get(tags.create, { body: { name: `Etiqueta ${++last}` } })
    const given = {
      botSetupId: setup.id,
      commandBot: '1',
      commandType: 1,
      descriptionBot: 'Fotos',
      showMessage: 'Veja',
      webhook: 'https://exemplo.test/aviso',
      tags: [tag],
      botCategoryContacts: [],
      forceNextFlow: '2',
    }
    const command = await admin.get(bots.addCommand, {
      params: { companyId: admin.user.companyId },
      body: { body: JSON.stringify(given), mediaName: 'sala.png' },
      files: [picture()],
    })
    expect(command).toMatchObject({
      descriptionBot: 'Fotos',
      webhook: given.webhook,
      tags: [{ id: tag.id, name: tag.name }],
      categoryContacts: [],
      mediaName: 'sala.png',
      typeMessage: 'singleMessage',
      forceNextFlow: '2',
    })
    expect((await admin.fetch(command.mediaUrl!)).status).toBe(200)
    const params = { companyId: admin.user.companyId, botId: command.id }
    const changed = await admin.get(bots.changeCommand, {
      params,
      body: { withoutMedia: true, webhook: '' },
    })
    expect(changed).toEqual({ ...command, mediaUrl: null, mediaName: '', webhook: null })
    expect(await admin.get(bots.showCommand, { params: { botId: command.id } })).toEqual(changed)
  })

  test('what a bot and its commands point to is named, as long as it is there [BOTCMD-015]', async () => {
    const prompt = { name: 'Lua', context: 'Somos a Lume.', model: 'gpt-4o' }
    const { id: botConfigId } = await admin.get(botConfigs.create, { body: prompt })
    const flowActions = JSON.stringify([{ actionType: 'SendText', body: 'Oi' }])
    const body = { name: 'Boas-vindas', type: 'Bot' as const, flowActions }
    const { id: flowId } = await admin.get(flows.create, { body })
    const setup = await addSetup(admin, { botType: 'other', botConfigId })
    expect(setup).toMatchObject({ botType: 'gpt', botConfig: { id: botConfigId, name: 'Lua' } })
    const command = await add(setup.id, '1', { typeMessage: 'flow', flowId, botConfigId })
    expect(command).toMatchObject({
      flow: { id: flowId, name: 'Boas-vindas' },
      botConfig: { id: botConfigId, name: 'Lua' },
    })
    await admin.get(botConfigs.remove, { params: { botConfigId }, query: { evenIfUsed: true } })
    expect(await admin.get(bots.showCommand, { params: { botId: command.id } })).toMatchObject({
      botConfigId,
      botConfig: null,
    })
  })

  test('both have every field of the documents, by their names (ENTITY-022, ENTITY-023) [ENTITY-022 … ENTITY-023]', async () => {
    const setup = await addSetup()
    const command = await add(setup.id, '1')
    const documented = [
      'id name typingTime reopenBotAfterHours countErrorsBot typeMenu messageOnErrorsBot actionWithoutQueue',
      'timeWithoutQueue messageOnWithoutQueue transferQueueId whatsapps companyId userId botType botConfigId',
    ]
    expect(Object.keys(setup)).toEqual(expect.arrayContaining(documented.join(' ').split(' ')))
    const ofCommands = [
      'id commandBot commandType descriptionBot showMessage mediaUrl webhook userId queueId tags categoryContacts',
      'typeMessage flowId botConfigId botConfig forceNextFlow botSetupId',
    ]
    expect(Object.keys(command)).toEqual(expect.arrayContaining(ofCommands.join(' ').split(' ')))
  })

  test('a file stays while a copy names it', async () => {
    const setup = await addSetup()
    const form = { botSetupId: setup.id, commandBot: '1', commandType: 1 }
    const params = { companyId: admin.user.companyId }
    const { mediaUrl } = await admin.get(bots.addCommand, {
      params,
      body: { body: JSON.stringify(form) },
      files: [picture()],
    })
    const copy = await admin.get(bots.copySetup, { params: { botSetupId: setup.id } })
    await admin.get(bots.removeSetup, { params: { botSetupId: setup.id } })
    expect((await admin.fetch(mediaUrl!)).status).toBe(200)
    await admin.get(bots.removeSetup, { params: { botSetupId: copy.id } })
    await until(async () => (await admin.fetch(mediaUrl!)).status === 404)
  })

  test('a number is one command’s only, and numbers change places all at once', async () => {
    const setup = await addSetup()
    const [first, second] = [await add(setup.id, '1'), await add(setup.id, '2', { forceNextFlow: '1' })]
    const taken = await adding(setup.id, '1')
    expect([taken.status, taken.body.error, taken.body.field]).toEqual([
      409,
      'ERR_BOT_NUMBER_TAKEN',
      'commandBot',
    ])
    const params = { botSetupId: setup.id }
    const commands = [
      { id: first.id, commandBot: '2' },
      { id: second.id, commandBot: '1', forceNextFlow: '2' },
    ]
    const arranged = await admin.get(bots.arrange, { params, body: { commands } })
    expect(arranged.map(({ id, forceNextFlow }) => [id, forceNextFlow])).toEqual([
      [second.id, '2'],
      [first.id, ''],
    ])
    const clash = await admin.call(bots.arrange, {
      params,
      body: { commands: [{ id: first.id, commandBot: '1' }] },
    })
    expect(clash.status).toBe(409)
    expect(await commandsOf(setup.id)).toEqual(['1', '2'])
  })

  test('a command goes alone, or with all below it [BOTCMD-001, BOTCMD-022 … BOTCMD-023]', async () => {
    const setup = await addSetup()
    const commands = []
    for (const number of ['1', '1.1', '1.1.1', '2', '10']) commands.push(await add(setup.id, number))
    await admin.get(bots.removeCommand, { params: { botId: commands[1]!.id } })
    expect(await commandsOf(setup.id)).toEqual(['1', '1.1.1', '2', '10'])
    await admin.get(bots.removeCommand, { params: { botId: commands[0]!.id }, query: { branch: true } })
    expect(await commandsOf(setup.id)).toEqual(['2', '10'])
  })

  test('what bots use is not deleted before they were named, and the caller says so; another company’s bots do not count', async () => {
    const name = 'Só para isto'
    const tag = await admin.get(tags.create, { body: { name } })
    const asked = await admin.get(tags.create, { body: { name: 'Só perguntada' } })
    const category = await admin.get(categories.create, { body: { name, color: '#1273de' } })
    const queue = await admin.get(queues.create, { body: { name, color: '#333333' } })
    const prompt = await admin.get(botConfigs.create, { body: { name, model: 'gpt-4o' } })
    const flowActions = JSON.stringify([{ actionType: 'SendText', body: 'Oi' }])
    const { id: flowId } = await admin.get(flows.create, { body: { name, type: 'Bot', flowActions } })
    const userId = await rows.user()
    const setup = await addSetup(admin, { name: 'Usa tudo' })
    const logic = { conditions: [{ kind: 'tag', id: asked.id, has: true }] }
    await add(setup.id, '1', { tags: [tag.id], botCategoryContacts: [category.id], logic })
    await add(setup.id, '2', { commandType: 4, queueId: queue.id, userId })
    await add(setup.id, '3', { commandType: 8, botConfigId: prompt.id })
    await add(setup.id, '4', { typeMessage: 'flow', flowId })
    const removals = {
      tag: (query: object) => admin.call(tags.remove, { params: { tagId: tag.id }, query }),
      'tag of a condition': (query: object) =>
        admin.call(tags.remove, { params: { tagId: asked.id }, query }),
      category: (query: object) =>
        admin.call(categories.remove, { params: { categoryId: category.id }, query }),
      queue: (query: object) => admin.call(queues.remove, { params: { queueId: queue.id }, query }),
      prompt: (query: object) => admin.call(botConfigs.remove, { params: { botConfigId: prompt.id }, query }),
      flow: (query: object) => admin.call(flows.remove, { params: { flowId }, query }),
      user: (query: object) => admin.call(users.remove, { params: { userId }, query }),
    }
    for (const [what, remove] of Object.entries(removals)) {
      const { status, body } = await remove({})
      expect([what, status, body]).toMatchObject([what, 409, { details: { bots: ['Usa tudo'] } }])
      expect([what, (await remove({ evenIfUsed: true })).status]).toEqual([what, 200])
    }
    // an id of their own that a bot here happens to name
    const theirs = await stranger.get(tags.create, { body: { name } })
    const { status } = await stranger.call(tags.remove, { params: { tagId: theirs.id } })
    expect(status).toBe(200)
  })

  test('a queue that goes leaves its number behind, and the script says that it is not there', async () => {
    const setup = await addSetup()
    const queue = await admin.get(queues.create, {
      body: { name: `Fila ${++last}`, color: `#1111${10 + last}` },
    })
    const command = await add(setup.id, '1', { commandType: 3, queueId: queue.id })
    const params = { botSetupId: setup.id }
    const known = async () => (await admin.get(bots.script, { params })).around.queues.map(({ id }) => id)
    expect(await known()).toContain(queue.id)
    await admin.get(queues.remove, { params: { queueId: queue.id }, query: { evenIfUsed: true } })
    expect(await known()).not.toContain(queue.id)
    const kept = await admin.get(bots.changeCommand, {
      params: { companyId: admin.user.companyId, botId: command.id },
      body: { queueId: queue.id, showMessage: 'Já vai' },
    })
    expect(kept).toMatchObject({ queueId: queue.id, showMessage: 'Já vai' })
  })

  test.each([
    [{ commandBot: '' }, 'commandBot'],
    [{ commandBot: '1..2' }, 'commandBot'],
    [{ commandBot: '0' }, 'commandBot'],
    [{ commandBot: `1${'.1'.repeat(30)}` }, 'commandBot'],
    [{ commandType: 11 }, 'commandType'],
    [{ commandType: 3 }, 'queueId'],
    [{ commandType: 4 }, 'userId'],
    [{ logic: { otherwise: 'x' } }, 'logic.otherwise'],
    [{ logic: { variable: 'resposta' } }, 'logic.variable'],
    [{ logic: { tries: 99 } }, 'logic.tries'],
    [{ logic: { conditions: [{ kind: 'tag', id: 0, has: true }] } }, 'logic.conditions.0.id'],
    [{ webhook: 'exemplo' }, 'webhook'],
    [{ webhook: 'ftp://exemplo.test' }, 'webhook'],
    [{ forceNextFlow: 'x' }, 'forceNextFlow'],
    [{ typeMessage: 'dance' }, 'typeMessage'],
  ])(
    'what is no command is refused with its field: case %# [BOTCMD-017 … BOTCMD-019]',
    async (more, field) => {
      const setup = await addSetup()
      const { status, body } = await adding(setup.id, '1', more)
      expect([status, body.field]).toEqual([400, field])
      if (field === 'webhook') expect(body).toMatchObject({ message: 'Deve ser uma URL válida' })
    },
  )

  test.each([
    [{ queueId: 2_000_000_000 }, 'queueId'],
    [{ userId: 2_000_000_000 }, 'userId'],
    [{ flowId: 2_000_000_000 }, 'flowId'],
    [{ botConfigId: 2_000_000_000 }, 'botConfigId'],
    [{ tags: [2_000_000_000] }, 'tags'],
    [{ botCategoryContacts: [2_000_000_000] }, 'botCategoryContacts'],
  ])('what it points to has to be there: case %#', async (more, field) => {
    const setup = await addSetup()
    const { status, body } = await adding(setup.id, '1', more)
    expect([status, body.field]).toEqual([404, field])
  })
})

describe('who sees and hears it', () => {
  test('every change is heard by the whole company, and by no other [LIVE-016, EVENT-014, BOTCMD-025]', async () => {
    const [pushes, elsewhere] = [await marina.subscribe(botChannel), await stranger.subscribe(botChannel)]
    const botSetup = await addSetup()
    const bot = await add(botSetup.id, '1')
    await admin.get(bots.removeCommand, { params: { botId: bot.id } })
    await admin.get(bots.removeSetup, { params: { botSetupId: botSetup.id } })
    await until(() => pushes.length === 4)
    expect(pushes).toEqual([
      { action: 'create', botSetup },
      { action: 'create', bot, botSetupId: botSetup.id },
      { action: 'delete', botId: bot.id, botSetupId: botSetup.id },
      { action: 'delete', botSetupId: botSetup.id },
    ])
    expect(elsewhere).toEqual([])
  })

  test('of another company nothing is there, and nothing can be put there', async () => {
    const setup = await addSetup()
    const bot = await add(setup.id, '1')
    const params = { botSetupId: setup.id }
    for (const route of [bots.showSetup, bots.listCommands, bots.script, bots.copySetup, bots.removeSetup])
      expect((await stranger.call(route, { params })).status).toBe(404)
    expect((await stranger.call(bots.changeSetup, { params, body: { name: 'Meu' } })).status).toBe(404)
    for (const route of [bots.showCommand, bots.removeCommand])
      expect((await stranger.call(route, { params: { botId: bot.id } })).status).toBe(404)
    expect((await adding(setup.id, '2', {}, stranger)).status).toBe(404)
    const theirs = { companyId: stranger.user.companyId, botId: bot.id }
    expect((await stranger.call(bots.changeCommand, { params: theirs, body: {} })).status).toBe(404)
    expect((await stranger.get(bots.listSetups)).botSetups).toEqual([])
    expect(await commandsOf(setup.id)).toEqual(['1'])
  })

  test('a company without bots has none of their calls [BOTSETUP-001]', async () => {
    const allow = (enableBots: boolean) =>
      app.platform.scopes
        .platform()
        .transaction(sql =>
          sql.update(companies).set({ enableBots }).where(eq(companies.id, stranger.user.companyId)),
        )
    await allow(false)
    expect((await stranger.call(bots.listSetups)).status).toBe(403)
    expect((await stranger.call(bots.addSetup, { body: { name: 'Bot' } })).status).toBe(403)
    await allow(true)
    expect((await stranger.call(bots.listSetups)).status).toBe(200)
  })

  test('a bot whose maker leaves is nobody’s', async () => {
    const userId = await rows.user()
    const setup = await addSetup()
    const scope = app.platform.scopes.inCompany(admin.user.companyId)
    await scope.transaction(tx => tx.sql.update(botSetups).set({ userId }).where(eq(botSetups.id, setup.id)))
    await admin.get(users.remove, { params: { userId } })
    expect((await admin.get(bots.showSetup, { params: { botSetupId: setup.id } })).userId).toBeNull()
  })
})
