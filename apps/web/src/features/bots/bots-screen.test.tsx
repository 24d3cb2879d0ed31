import { BotConfig, botConfigs } from '@balcao/contract/botConfigs.ts'
import { BotCommand } from '@balcao/contract/bots.commands.ts'
import { BotCall } from '@balcao/contract/bots.talk.ts'
import { BotSetup, botChannel, bots } from '@balcao/contract/bots.ts'
import { expect, test, vi } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const setup = sample(BotSetup, { id: 8, companyId: 1, name: 'Lua', botType: 'common', userId: 2 })
const command = (id: number, commandBot: string, given: object = {}) =>
  sample(BotCommand, {
    id,
    botSetupId: 8,
    commandBot,
    commandType: 1,
    descriptionBot: `Comando ${id}`,
    ...given,
  })

const answering =
  (commands: BotCommand[]) =>
  (server: Server): Server =>
    server
      .on(bots.listSetups, { botSetups: [setup], hasMore: false })
      .on(bots.script, () => sample(bots.script.reply, { setup, commands }))

test('an admin reads what webhooks told other systems, sends it again and takes the secret; others have none of it', async () => {
  const webhook = 'http://10.0.0.9/aviso?pedido=novo'
  const commands = [command(1, '1', { webhook })]
  const call = sample(BotCall, {
    ...{ id: uuid(1), botSetupId: 8, number: '1', url: webhook, body: '{"answer": "1"}' },
    ...{ state: 'failed', attempts: 1, error: 'forbidden' },
  })
  let calls: BotCall[] = []
  const page = enter('/Bots/8/Lua', helena, {
    answers: server =>
      answering(commands)(server)
        .on(bots.listCalls, () => ({ calls, hasMore: false }))
        .on(bots.showSecret, { secret: 'whsec_um' })
        .on(bots.callAgain, call),
  })
  await page.press('Webhooks')
  await page.dialog().sees('Nenhuma chamada ainda')
  await page.dialog().press('Fechar')
  calls = [call]
  await page.press('Webhooks')
  const dialog = page.dialog()
  await dialog.sees(webhook, 'Falhou', 'rede privada', '1 tentativa')
  await dialog.press('O que foi enviado')
  await dialog.sees('"answer": "1"')
  await dialog.press('Mostrar o segredo')
  await dialog.sees('whsec_um')
  await dialog.press(/^Enviar de novo/)
  await expect.poll(() => page.server.asked(bots.callAgain)[0]?.params.callId).toBe(uuid(1))
  const other = enter('/Bots/8/Lua', marina, { answers: answering(commands) })
  await other.sees('Comando 1')
  expect(other.maybe('button', 'Webhooks')).toBeNull()
})

test('a colleague sees commands change as they change; a bot of the other kind leads to its prompt [LIVE-016, BOTSETUP-005, BOTCMD-002, BOTCMD-025]', async () => {
  const commands = [command(1, '1')]
  const page = enter('/Bots/8/Lua', marina, { answers: answering(commands) })
  await page.sees('Comando 1')
  const is = (action: 'create' | 'update', bot: BotCommand) =>
    page.server.push(botChannel, { action, bot, botSetupId: 8 })
  commands.push(command(2, '2'))
  is('create', commands[1]!)
  await page.sees('Comando 2')
  commands[1] = command(2, '2', { descriptionBot: 'Valores' })
  is('update', commands[1])
  await page.sees('Valores')
  commands.pop()
  page.server.push(botChannel, { action: 'delete', botId: 2, botSetupId: 8 })
  await page.lacks('Valores')

  const other = sample(BotSetup, { id: 9, name: 'Modelo', botType: 'gpt', botConfigId: 4 })
  const prompt = sample(BotConfig, { id: 4, name: 'Sol', context: 'Somos a Lume.', model: 'gpt-4o' })
  const there = enter('/BotSetups', helena, {
    answers: server =>
      server
        .on(bots.listSetups, { botSetups: [other], hasMore: false })
        .on(botConfigs.list, { botConfigs: [prompt], hasMore: false })
        .on(botConfigs.show, prompt)
        .on(botConfigs.models, sample(botConfigs.models.reply)),
  })
  await there.press('Modelo')
  await expect.poll(() => location.pathname).toBe('/botConfig/4')
  expect(await there.dialog().field('Contexto')).toHaveValue('Somos a Lume.')
})

test('each type of command asks for what it needs, and its flow and its prompt are made in another tab [LIVE-016, BOTSETUP-005, BOTCMD-002, BOTCMD-009 … BOTCMD-014, BOTCMD-025]', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const page = enter('/Bots/8/Lua', helena, {
    answers: server => answering([])(server).on(botConfigs.list, { botConfigs: [], hasMore: false }),
  })
  await page.press('Adicionar comando')
  const dialog = page.dialog()
  const type = await dialog.field('Tipo')
  const asked: Record<string, string[]> = {
    Informativo: [],
    Menu: [],
    Setor: ['Setor'],
    Atendente: ['Setor', 'Atendente'],
    'Resolver Ticket': [],
    'Menu com botões': [],
    Pergunta: ['Depois da resposta, ir para'],
    'Prompt GPT': ['Prompt'],
  }
  expect([...type.querySelectorAll('option')].map(({ text }) => text)).toEqual([
    ...Object.keys(asked),
    'Condição',
    'Consulta externa',
  ])
  const all = [...new Set(Object.values(asked).flat())]
  const labels = () =>
    [...dialog.element.querySelectorAll('label')].map(({ textContent }) => textContent?.trim())
  for (const [name, fields] of Object.entries(asked)) {
    await dialog.choose('Tipo', name)
    await dialog.field('Mensagem')
    await dialog.sees('Arquivo')
    expect(
      all.filter(field => labels().includes(field)),
      name,
    ).toEqual(fields)
  }
  await dialog.press(/^Novo prompt/)
  await dialog.choose('O que enviar', 'Fluxo')
  await dialog.field('Fluxo')
  await dialog.press('Novo fluxo (abre em outra aba)')
  expect(opened.mock.calls.map(([address, where]) => [address, where])).toEqual([
    ['/botConfig', '_blank'],
    ['/flowmanager', '_blank'],
  ])
  opened.mockRestore()
})

test('who may only copy a bot is not offered more', async () => {
  const page = enter('/BotSetups', marina, { answers: answering([]) })
  await page.find('button', 'Copiar Lua')
  expect(page.maybe('button', 'Excluir Lua')).toBeNull()
})

test('a condition, a checked question and a request are saved with what they check', async () => {
  const page = enter('/Bots/8/Lua', helena, {
    answers: server =>
      answering([command(1, '1'), command(2, '2')])(server).on(bots.addCommand, command(3, '3')),
  })
  const saved = () => page.server.asked(bots.addCommand).at(-1)?.body
  const add = async (type: string) => {
    await page.press('Adicionar comando')
    await page.dialog().choose('Tipo', type)
    return page.dialog()
  }
  const condition = await add('Condição')
  await condition.press('Adicionar condição')
  await condition.choose('É', 'Fora do horário')
  await condition.choose('Se não vale, ir para', '2 Comando 2')
  await condition.press('Salvar')
  await expect
    .poll(() => saved()?.logic)
    .toMatchObject({
      ...{ conditions: [{ kind: 'hours', open: false }], otherwise: '2' },
    })

  const question = await add('Pergunta')
  await question.choose('Deve ser', 'Um CPF')
  await question.fill('Guardar na variável', 'Cliente')
  await question.choose('Guardar no contato', 'Em um campo adicional')
  await question.fill('Campo', 'CPF')
  await question.choose('Esperar a resposta por', '30 minutos')
  await question.choose('Sem resposta, ir para', '1 Comando 1')
  await question.press('Salvar')
  expect(page.server.asked(bots.addCommand)).toHaveLength(1)
  await question.fill('Guardar na variável', 'CPF')
  await question.press('Salvar')
  await expect
    .poll(() => saved()?.logic)
    .toMatchObject({
      ...{ check: 'cpf', variable: 'cpf', keepIn: 'field', field: 'CPF', waitMinutes: 30, silent: '1' },
    })

  const request = await add('Consulta externa')
  await request.fill('Endereço', 'https://loja.test/{{cpf}}')
  await request.press('Adicionar variável')
  await request.fill('Nome da variável', 'status')
  await request.fill('Caminho no JSON', 'pedido.status')
  await request.press('Salvar')
  await expect
    .poll(() => saved())
    .toMatchObject({
      webhook: 'https://loja.test/{{cpf}}',
      logic: { fills: [{ variable: 'status', path: 'pedido.status' }] },
    })
})

test('what is said outside the hours is added in one press, and the trial plays both', async () => {
  const commands = [command(1, '1'), command(2, '2')]
  const page = enter('/Bots/8/Lua', helena, {
    answers: server =>
      answering(commands)(server).on(bots.addCommand, ({ body }) => {
        const { commandBot, commandType, showMessage = '', logic = null } = body
        const added = command(commands.length + 1, commandBot, {
          commandType,
          showMessage,
          logic,
          descriptionBot: '',
        })
        commands.push(added)
        return added
      }),
  })
  await page.press('Fora do horário')
  expect(await page.dialog().field('Mensagem')).toHaveValue(
    'Nosso atendimento está fechado agora. Deixe sua mensagem, e respondemos assim que abrirmos.',
  )
  expect(commands.slice(2)).toMatchObject([
    { commandBot: '3', commandType: 9, logic: { conditions: [{ kind: 'hours', open: false }] } },
    { commandBot: '3.1', commandType: 1 },
  ])
  await page.dialog().press('Cancelar')
  const phone = page.part('region', 'Experimentar o bot')
  await phone.choose('Horário do teste', 'Fora do horário')
  await phone.fill('Mensagem', 'oi')
  await phone.press('Enviar')
  await phone.sees('Nosso atendimento está fechado agora')
})
