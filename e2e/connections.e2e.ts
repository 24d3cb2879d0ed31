import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { test as base, expect, type Page } from '@playwright/test'
import { expectAccessible, type People, peopleOf } from './people.ts'
import { startWorld, type World } from './world.ts'

/** The product beside a local WhatsApp, over the real protocol: nothing of the product is stubbed. */
const test = base.extend<{ people: People }, { whatsapp: WhatsAppServer; product: World }>({
  whatsapp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const server = await startWhatsAppServer({})
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ whatsapp }, use) => {
      const { args, env } = trustFor(whatsapp)
      const world = await startWorld({ ...env, NODE_OPTIONS: args.join(' '), WHATSAPP_WEB_URL: whatsapp.url })
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  people: async ({ browser, product }, use) => {
    const people = peopleOf(browser, product.url)
    await use(people)
    await people.leave()
  },
})

const rowOf = (page: Page, name: string) => page.locator(`[data-connection="${name}"]`)

async function addConnection(helena: Page, name: string) {
  await helena.goto('/connections')
  await helena.getByRole('button', { name: 'Adicionar conexão' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('Tipo de conexão').selectOption('baileys')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(rowOf(helena, name)).toBeVisible()
}

test('a number is connected by its QR code; a customer’s encrypted message is answered and its receipts turn the marks', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const owner = await whatsapp.addPhone('5511930002000', { name: 'Lume Pituba' })
  await addConnection(helena, 'Loja Pituba')
  await rowOf(helena, 'Loja Pituba').getByRole('button', { name: 'Novo QR Code' }).click()
  const code = helena.locator('[data-qr]')
  await expect(code).toBeVisible({ timeout: 20_000 })
  await expectAccessible(helena)
  await owner.scan((await code.getAttribute('data-qr'))!)
  await expect(helena.getByRole('dialog')).toBeHidden({ timeout: 20_000 })
  await expect(rowOf(helena, 'Loja Pituba')).toContainText('Conectada', { timeout: 20_000 })
  await expect(rowOf(helena, 'Loja Pituba')).toContainText('+5511930002000')

  const marina = await people.attendant()
  const renata = await whatsapp.addPhone('5571991340872', { name: 'Renata Vasconcelos' })
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await renata.write('5511930002000', 'Meu sofá chegou com a cor errada')
  const row = marina.locator('[data-ticket]').filter({ hasText: 'Meu sofá chegou com a cor errada' })
  await expect(row).toContainText('Renata Vasconcelos')
  await row.click()
  await marina
    .getByRole('region', { name: 'Conversa com Renata Vasconcelos' })
    .getByRole('button', { name: 'Aceitar' })
    .first()
    .click()
  await marina.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await marina.getByRole('button', { name: 'Iniciar' }).click()
  await marina.getByLabel('Escreva uma mensagem').fill('Vamos trocar, Renata.')
  await marina.keyboard.press('Enter')
  const bubble = marina.locator('article', { hasText: 'Vamos trocar' })
  await expect.poll(() => renata.received().map(received => received.text)).toContain('Vamos trocar, Renata.')
  await expect(bubble.locator('[data-ack="3"]')).toBeVisible()
  await renata.read(...renata.received().map(received => received.id))
  await expect(bubble.locator('[data-ack="4"]')).toBeVisible()
  expect(whatsapp.unknown).toEqual([])
})

test('a number is connected by a code to type', async ({ people, whatsapp }) => {
  const helena = await people.admin()
  const owner = await whatsapp.addPhone('5511930003000', { name: 'Lume Corporativo' })
  await addConnection(helena, 'Corporativo')
  await rowOf(helena, 'Corporativo').getByRole('button', { name: 'Novo QR Code' }).click()
  await helena.getByRole('button', { name: 'Parear por número' }).click()
  await helena.getByLabel(/Número deste WhatsApp/).fill('+55 11 93000-3000')
  await helena.getByRole('button', { name: 'Gerar código' }).click()
  const code = helena.locator('[data-pairing-code]')
  await expect(code).toBeVisible({ timeout: 20_000 })
  await owner.enterCode((await code.getAttribute('data-pairing-code'))!)
  await expect(rowOf(helena, 'Corporativo')).toContainText('Conectada', { timeout: 20_000 })
})

test('a device removed on the phone is shown as disconnected, without a loop', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const owner = await whatsapp.addPhone('5511930004000', { name: 'Lume Feirão' })
  await addConnection(helena, 'Feirão')
  await rowOf(helena, 'Feirão').getByRole('button', { name: 'Novo QR Code' }).click()
  const code = helena.locator('[data-qr]')
  await expect(code).toBeVisible({ timeout: 20_000 })
  await owner.scan((await code.getAttribute('data-qr'))!)
  await expect(rowOf(helena, 'Feirão')).toContainText('Conectada', { timeout: 20_000 })
  await owner.unlink()
  await expect(rowOf(helena, 'Feirão')).toContainText('Desconectada')
  await expect(rowOf(helena, 'Feirão').getByRole('button', { name: 'Novo QR Code' })).toBeVisible()
})
