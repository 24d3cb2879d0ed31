import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { compose, newNumber, say } from './conversation.ts'
import { office } from './office.ts'
import { PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

const stamp = Date.now().toString().slice(-6)
const owner = `dona${stamp}@padaria.test`
const team = [
  { email: `bruno${stamp}@padaria.test`, name: 'Bruno Telles', queue: 'Encomendas' },
  { email: `carla${stamp}@padaria.test`, name: 'Carla Nunes', queue: 'Entregas' },
]
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const conversation = (page: Page, name: string) => page.getByRole('region', { name: `Conversa com ${name}` })

async function waiting(page: Page, name: string) {
  await page.goto('/tickets')
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-ticket]').filter({ hasText: name }).click()
}

test('an admin sets up a company from nothing, and three people work in it [GEN-010, AUTH-009]', async ({
  people,
  world,
}) => {
  test.setTimeout(300_000)
  const dona = await people.visitor()
  await dona.goto('/signup')
  await dona.getByLabel('Empresa').fill('Padaria da Dona')
  await dona.getByLabel('Nome').fill('Padaria da Dona')
  await dona.getByLabel('E-mail').fill(owner)
  await dona.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await dona.getByRole('button', { name: 'Criar conta' }).click()
  await expect(dona.getByText('Conta criada com sucesso')).toBeVisible()
  await expect(dona).toHaveURL(/\/tickets$/)

  for (const [name, color] of [
    ['Encomendas', '#1273de'],
    ['Entregas', '#008b02'],
  ] as const) {
    await dona.goto('/queues/new')
    await dona.getByRole('dialog').getByLabel('Nome').fill(name)
    await dona.getByRole('dialog').getByLabel('Cor', { exact: true }).fill(color)
    await save(dona)
    await expect(rowOf(dona, name)).toBeVisible()
  }
  await dona.goto('/UserAuthorizations')
  await dona.getByRole('button', { name: 'Adicionar grupo' }).click()
  await dona.getByRole('dialog').getByLabel('Nome').fill('Balconistas')
  await dona.getByRole('dialog').getByLabel('Administrar a empresa').press('Space')
  await save(dona)
  await expect(rowOf(dona, 'Balconistas')).toBeVisible()
  await dona.goto('/connections')
  await dona.getByRole('button', { name: 'Adicionar conexão' }).click()
  await dona.getByRole('dialog').getByLabel('Nome').fill('Balcão da frente')
  await dona.getByRole('dialog').getByLabel('Tipo de conexão').selectOption('simulator')
  await save(dona)
  const front = dona.locator('[data-connection="Balcão da frente"]')
  await expect(front).toContainText('Conectada')

  for (const { email, queue } of team) {
    await dona.goto('/invitations/new')
    const dialog = dona.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill(email)
    await dialog.getByLabel('Grupo de permissões').selectOption('Balconistas')
    await dialog.getByLabel('Conexão padrão').selectOption('Balcão da frente')
    await dialog.getByLabel(queue).check()
    await save(dona)
    await expect(rowOf(dona, email)).toBeVisible()
  }
  const customer = newNumber()
  await dona.goto('/contacts')
  await dona.getByRole('button', { name: 'Importar' }).click()
  await dona
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({
      name: 'clientes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Nome;Telefone\nRita Falcão;${customer}\nSeu Jorge;${newNumber()}`),
    })
  await dona.getByRole('dialog').getByRole('button', { name: 'Importar 2' }).click()
  await expect(dona.getByText('2 contatos importados').first()).toBeVisible()
  await dona.keyboard.press('Escape')
  await expect(rowOf(dona, 'Rita Falcão')).toBeVisible()

  const [bruno, carla] = (await Promise.all(
    team.map(async ({ email, name }) => {
      const page = await people.visitor()
      await page.goto(`/invitation#${(await office.letterTo(email)).token}`)
      await page.getByLabel('Nome').fill(name)
      await page.getByLabel('Crie uma senha', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Aceitar convite' }).click()
      await expect(page).toHaveURL(/\/tickets$/)
      return page
    }),
  )) as [Page, Page]

  // a customer of the spreadsheet writes, Bruno accepts and transfers the ticket, Carla answers, and the owner sees
  // both
  const { call } = await callsOf(world.url, owner)
  const line = (await call(connections.list)).find(({ name }) => name === 'Balcão da frente')!
  const params = { whatsappId: line.id }
  await call(simulator.write, { params, body: { number: customer, body: 'Quero dois bolos' } })
  await waiting(bruno, 'Rita Falcão')
  await conversation(bruno, 'Rita Falcão').getByRole('button', { name: 'Aceitar' }).first().click()
  await expect(compose(bruno)).toBeVisible()
  await say(bruno, 'Anotado, Rita.')
  await expect(bruno.locator('article', { hasText: 'Anotado, Rita.' })).toBeVisible()
  await conversation(bruno, 'Rita Falcão').getByRole('button', { name: 'Transferir' }).first().click()
  const hand = bruno.getByRole('dialog')
  await hand.getByLabel('Fila').selectOption({ label: 'Entregas' })
  await hand.getByRole('button', { name: 'Transferir' }).click()
  await expect(hand).toBeHidden()

  await waiting(carla, 'Rita Falcão')
  await conversation(carla, 'Rita Falcão').getByRole('button', { name: 'Aceitar' }).first().click()
  await expect(compose(carla)).toBeVisible()
  await say(carla, 'Chega às nove.')
  const phoneShows = async () =>
    (await call(simulator.chat, { params: { ...params, number: customer } }))
      .filter(({ fromMe }) => fromMe)
      .map(({ body }) => body)
      .join('\n')
  await expect.poll(phoneShows).toContain('Chega às nove.')
  expect(await phoneShows()).toContain('Anotado, Rita.')
  await dona.goto('/users')
  for (const { name, email } of team) await expect(rowOf(dona, name)).toContainText(email)
})
