import { botConfigs } from '@balcao/contract/botConfigs.ts'
import type { BotCommandInput } from '@balcao/contract/bots.commands.ts'
import { bots } from '@balcao/contract/bots.ts'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) => page.getByRole('list', { name: 'Comandos' }).locator('[data-command]')
const unique = () => Date.now().toString().slice(-6)

/** A bot as its maker left it. */
async function botOf(
  url: string,
  name: string,
  commands: (typeof BotCommandInput)['_input'][],
  whatsapps: number[] = [],
) {
  const { call, user } = await callsOf(url)
  const setup = await call(bots.addSetup, { body: { name, typingTime: '1', whatsapps } })
  const params = { companyId: user.companyId }
  for (const command of commands)
    await call(bots.addCommand, { params, body: { botSetupId: setup.id, ...command } })
  return { call, params, setup, path: `/Bots/${setup.id}/${encodeURIComponent(name)}` }
}

test('an admin reads what webhooks told other systems, sends it again and takes the secret; others have none of it', async ({
  people,
  world,
}) => {
  test.setTimeout(240_000)
  const { call } = await callsOf(world.url)
  const name = `Avisa ${unique()}`
  const { id: whatsappId } = await call(connections.create, { body: { name, lib: 'simulator' } })
  await call(connections.start, { params: { whatsappId } })
  const webhook = 'http://127.0.0.1:9/aviso?pedido=novo'
  const { path, setup } = await botOf(
    world.url,
    name,
    [
      { commandBot: '1', commandType: 2, descriptionBot: 'Pedido', showMessage: 'Anotado.', webhook },
      { commandBot: '2', commandType: 5, descriptionBot: 'Sair', showMessage: 'Tchau.' },
    ],
    [whatsappId],
  )
  const helena = await people.admin({ at: path })
  await helena.getByRole('button', { name: 'Webhooks' }).click()
  const dialog = dialogOf(helena)
  await expect(dialog.getByText('Nenhuma chamada ainda')).toBeVisible()

  const number = newNumber()
  for (const body of ['oi', '1'])
    await call(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })
  const sent = dialog.getByRole('row').filter({ hasText: webhook })
  await expect(sent).toContainText('Falhou')
  await expect(sent).toContainText('rede privada')
  await expect(sent).toContainText('1 tentativa')
  await sent.getByText('O que foi enviado').click()
  await expect(sent.getByText('"answer": "1"')).toBeVisible()
  await dialog.getByRole('button', { name: 'Mostrar o segredo' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Segredo da assinatura' })).toHaveValue(/^whsec_/)
  await expectAccessible(helena)
  const [before] = (await call(bots.listCalls, { params: { botSetupId: setup.id } })).calls
  await sent.getByRole('button', { name: /^Enviar de novo/ }).click()
  await expect
    .poll(async () => (await call(bots.listCalls, { params: { botSetupId: setup.id } })).calls[0]!.triedAt)
    .not.toBe(before!.triedAt)

  await helena.setViewportSize({ width: 390, height: 800 })
  await expect(sent).toContainText('Falhou')
  expect(await dialog.evaluate(box => box.scrollWidth <= box.clientWidth)).toBe(true)
  await expectAccessible(helena)

  const marina = await people.attendant({ at: path })
  await expect(rows(marina).first()).toBeVisible()
  await expect(marina.getByRole('button', { name: 'Webhooks' })).toBeHidden()
})

test('a colleague sees commands change as they change; a bot of the other kind leads to its prompt, and both editors open beside', async ({
  people,
  world,
}) => {
  test.setTimeout(240_000)
  const name = `Ao vivo ${unique()}`
  const { call, params, setup, path } = await botOf(world.url, name, [
    { commandBot: '1', commandType: 1, descriptionBot: 'Horas', showMessage: 'Das 9h às 19h' },
  ])
  const marina = await people.attendant({ at: path })
  await expect(rows(marina)).toHaveCount(1)
  const { id: botId } = await call(bots.addCommand, {
    params,
    body: {
      botSetupId: setup.id,
      commandBot: '2',
      commandType: 1,
      descriptionBot: 'Preços',
      showMessage: 'R$ 1',
    },
  })
  await expect(rows(marina)).toHaveCount(2)
  await call(bots.changeCommand, { params: { ...params, botId }, body: { descriptionBot: 'Valores' } })
  await expect(rows(marina).last()).toContainText('Valores')
  await call(bots.removeCommand, { params: { botId } })
  await expect(rows(marina)).toHaveCount(1)

  const prompt = { name: `Lua ${unique()}`, context: 'Somos a Lume.', model: 'gpt-4o' }
  const { id: botConfigId } = await call(botConfigs.create, { body: prompt })
  const other = await call(bots.addSetup, {
    body: { name: `Modelo ${unique()}`, botType: 'other', botConfigId },
  })
  const helena = await people.admin({ at: '/BotSetups' })
  await helena.getByRole('link', { name: other.name }).click()
  await expect(helena).toHaveURL(new RegExp(`/botConfig/${botConfigId}$`))
  await expect(dialogOf(helena).getByLabel('Contexto')).toHaveValue(prompt.context)

  await helena.goto(path)
  await helena.getByRole('button', { name: 'Adicionar comando' }).first().click()
  const dialog = dialogOf(helena)
  await dialog.getByLabel('O que enviar').selectOption({ label: 'Fluxo' })
  for (const [name, address] of [
    ['Novo fluxo', /\/flowmanager/],
    ['Novo prompt', /\/botConfig/],
  ] as const) {
    if (name === 'Novo prompt')
      await dialog.getByLabel('Tipo', { exact: true }).selectOption({ label: 'Prompt GPT' })
    const opened = helena.context().waitForEvent('page')
    await dialog.getByRole('button', { name }).click()
    await expect(await opened).toHaveURL(address)
  }
})

test('prompts load on as one scrolls, and are found by name and model', async ({ people, world }) => {
  test.setTimeout(240_000)
  const { call } = await callsOf(world.url)
  const mark = unique()
  for (let at = 0; at < 45; at++)
    await call(botConfigs.create, {
      body: { name: `Rolagem ${mark} ${String(at).padStart(2, '0')}`, context: 'x', model: 'gpt-4o' },
    })
  const helena = await people.admin({ at: '/botConfig' })
  const search = helena
    .getByRole('searchbox')
    .or(helena.getByPlaceholder(/Buscar|Pesquisar/))
    .first()
  await search.fill(`Rolagem ${mark}`)
  const found = helena.getByRole('row').filter({ hasText: `Rolagem ${mark}` })
  await expect(found).toHaveCount(20)
  await found.last().scrollIntoViewIfNeeded()
  await expect.poll(() => found.count()).toBeGreaterThan(20)
  await found.last().scrollIntoViewIfNeeded()
  await expect(found).toHaveCount(45)
  await search.fill(`Rolagem ${mark} 07`)
  await expect(found).toHaveCount(1)
})

test('what fails in the simulator of a prompt is logged, not shown, and the words come back', async ({
  people,
  world,
}) => {
  const { call } = await callsOf(world.url)
  const name = `Falha ${unique()}`
  await call(botConfigs.create, { body: { name, context: 'x', model: 'gpt-4o' } })
  const helena = await people.admin()
  const logged: string[] = []
  helena.on('console', message => message.type() === 'error' && logged.push(message.text()))
  await helena.goto('/botConfig')
  await helena.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Testar' }).click()
  await expect(dialogOf(helena).getByRole('status')).toBeVisible()
  await helena.context().setOffline(true)
  const field = dialogOf(helena).getByLabel('Escreva como um cliente')
  await field.fill('Tem sofá?')
  await helena.keyboard.press('Enter')
  await expect.poll(() => logged.length).toBeGreaterThan(0)
  await expect(field).toHaveValue('Tem sofá?')
  await expect(dialogOf(helena).getByRole('alert')).toHaveCount(0)
  await helena.context().setOffline(false)
})
