import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Page } from '@playwright/test'
import { expectAccessible } from './people.ts'
import { portOf } from './served.ts'
import { test as base, expect } from './world.ts'

/** A local double of Meta's Graph API, over HTTP, at the address configured in the product of the run. */
const test = base.extend<{ meta: CloudApiServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
  meta: async ({}, use) => {
    const meta = await startCloudApiServer({ port: portOf('meta') })
    await use(meta)
    await meta.close()
  },
})

const rowOf = (page: Page, name: string) => page.locator(`[data-connection="${name}"]`)
const widths = [
  { width: 1440, height: 900 },
  { width: 900, height: 800 },
  { width: 375, height: 780 },
]

/** Everything that can be seen fits, however wide the window is. */
async function fits(page: Page) {
  for (const viewport of widths) {
    await page.setViewportSize(viewport)
    const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(beyond, `what stands beyond the edge at ${viewport.width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(widths[0]!)
}

test('the official API is set up, brings a customer, and reaches a silent one by a template [OP-19, OP-43]', async ({
  people,
  shop,
  world,
  meta,
}) => {
  test.setTimeout(180_000)
  const helena = await people.admin({ at: '/connections' })
  await helena.getByRole('button', { name: 'Adicionar conexão' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill('Oficial')
  await dialog.getByLabel('Tipo de conexão').selectOption('cloud')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório').first()).toBeVisible()
  await dialog.getByLabel('Identificação do número de telefone').fill(meta.number.id)
  await dialog.getByLabel('Identificação da conta do WhatsApp Business').fill(meta.account.id)
  await dialog.getByLabel('Token de acesso').fill(meta.token.value)
  await dialog.getByLabel('Chave secreta do app').fill(meta.app.secret)
  await fits(helena)
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()

  const health = helena.getByRole('dialog', { name: 'Oficial: API oficial' })
  const address = await health.getByLabel('Endereço do webhook', { exact: true }).inputValue()
  const verifyToken = await health.getByLabel('Token de verificação', { exact: true }).inputValue()
  // where others reach this installation is named for its letters, and is not here
  await meta.app.subscribe(world.url + new URL(address).pathname, verifyToken)
  await expect(health.getByText('Qualidade: Alta')).toBeVisible()
  await fits(helena)
  await helena.keyboard.press('Escape')
  await expect(rowOf(helena, 'Oficial')).toContainText('Conectada')
  await expect(rowOf(helena, 'Oficial')).toContainText('+55 11 3000-0001')
  expect(await helena.content()).not.toContain(meta.token.value)

  const ana = meta.addCustomer('5571991340999', { name: 'Ana Oficial' })
  ana.says('Vocês entregam hoje?')
  await helena.goto('/tickets')
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(helena.locator('[data-ticket]').filter({ hasText: 'Vocês entregam hoje?' })).toContainText(
    'Ana Oficial',
  )

  meta.account.addTemplate({
    name: 'retorno_entrega',
    components: [
      {
        type: 'BODY',
        text: 'Oi {{1}}, sua entrega chega {{2}}.',
        example: { body_text: [['Rui', 'amanhã']] },
      },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Combinado' }] },
    ],
  })
  const rui = meta.addCustomer('5571991340777', { name: 'Rui Calado' })
  const { user, call } = shop
  const contact = await call(contacts.create, { body: { name: 'Rui Calado', number: rui.number } })
  const { id: whatsappId } = (await call(connections.list)).find(({ name }) => name === 'Oficial')!
  const queueId = user.queues[0]!.id
  await call(tickets.open, { body: { contactId: contact.id, queueId, whatsappId } })
  await helena.getByRole('tab', { name: /Atendendo/ }).click()
  await helena.locator('[data-ticket]').filter({ hasText: 'Rui Calado' }).click()
  await helena.getByRole('button', { name: 'Enviar modelo' }).click()
  const templates = helena.getByRole('dialog', { name: 'Enviar modelo' })
  await expect(templates.getByRole('button', { name: /retorno_entrega/ })).toBeVisible()
  await fits(helena)
  await templates.getByRole('button', { name: /retorno_entrega/ }).click()
  await expect(templates.getByRole('button', { name: 'Enviar', exact: true })).toBeDisabled()
  await templates.getByLabel('Variável 1').fill('Rui')
  await templates.getByLabel('Variável 2').fill('amanhã cedo')
  await expect(templates.locator('[data-template-preview]')).toHaveText(
    'Oi Rui, sua entrega chega amanhã cedo.',
  )
  await fits(helena)
  await templates.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(templates).toBeHidden()
  await expect
    .poll(() => rui.received().map(({ text }) => text))
    .toEqual(['Oi Rui, sua entrega chega amanhã cedo.'])
  await expect(helena.locator('article', { hasText: 'Oi Rui' }).locator('[data-ack="3"]')).toBeVisible()
  rui.taps(rui.received()[0]!.id, 'Combinado')
  await expect(helena.locator('article', { hasText: 'Combinado' })).toBeVisible()
  await expect(helena.getByLabel('Escreva uma mensagem')).toBeVisible()
  expect(meta.unknown).toEqual([])
})

test('a campaign over the official API says a template to whoever never wrote, filled for each', async ({
  people,
  shop,
  meta,
}) => {
  const number = meta.account.addNumber('551130000077')
  meta.account.addTemplate({
    name: 'novidades_do_mes',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Oi {{1}}, chegaram {{2}}.' }],
  })
  const bia = meta.addCustomer('5571991340555', { name: 'Bia' })
  const { call } = shop
  const { id: line } = await call(connections.create, {
    body: {
      name: 'Oficial de campanhas',
      lib: 'cloud',
      cloud: {
        phoneNumberId: number.id,
        businessAccountId: meta.account.id,
        accessToken: meta.token.value,
        appSecret: meta.app.secret,
        verifyToken: 'palavra-combinada',
      },
    },
  })
  await expect
    .poll(async () => (await call(connections.show, { params: { whatsappId: line } })).status)
    .toBe('CONNECTED')
  await call(campaignSetups.create, {
    body: { name: 'Ritmo oficial', whatsapps: [line], autoStart: false },
  })

  const helena = await people.admin({ at: '/CampaignsCreator' })
  await helena.getByLabel('Nome', { exact: true }).fill('Novidades oficiais')
  await expect(helena.getByRole('button', { name: 'Escolher modelo' })).toHaveCount(0)
  await helena.getByLabel('Configuração').selectOption({ label: 'Ritmo oficial' })
  await helena.getByRole('textbox', { name: 'Saudação' }).fill('Oi!')
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram novidades')
  await helena.getByRole('button', { name: 'Escolher modelo' }).click()
  const dialog = helena.getByRole('dialog', { name: 'Escolher modelo' })
  await dialog.getByRole('button', { name: /novidades_do_mes/ }).click()
  await expect(dialog.getByRole('button', { name: 'Usar modelo' })).toBeDisabled()
  await dialog.getByLabel('Variável 1').fill('{{primeiroNome|cliente}}')
  await dialog.getByLabel('Variável 2').fill('sofás')
  await expect(dialog.locator('[data-template-preview]')).toHaveText(
    'Oi {{primeiroNome|cliente}}, chegaram sofás.',
  )
  await fits(helena)
  await dialog.getByRole('button', { name: 'Usar modelo' }).click()
  await expect(helena.locator('[data-campaign-template]')).toContainText('novidades_do_mes')
  await helena.getByLabel('Números, um por linha').fill(`${bia.number};Bia Reis`)
  await helena.getByRole('main').getByRole('button', { name: 'Adicionar números' }).click()
  await fits(helena)
  await helena.getByRole('main').getByRole('button', { name: 'Salvar' }).click()

  await expect(helena.getByText('1 de 1 que esperam')).toBeVisible()
  await helena.getByRole('button', { name: 'Prévia' }).click()
  await expect(helena.getByRole('dialog').getByText('Oi Bia, chegaram sofás.')).toBeVisible()
  await helena.keyboard.press('Escape')
  // what is changed, or copied, keeps its template
  await helena.getByRole('main').getByRole('button', { name: 'Editar' }).click()
  await expect(helena.locator('[data-campaign-template]')).toContainText('novidades_do_mes')
  await helena.getByRole('main').getByRole('button', { name: 'Salvar' }).click()
  await helena.getByRole('main').getByRole('button', { name: 'START' }).click()
  await expect.poll(() => bia.received().map(({ text }) => text)).toEqual(['Oi Bia, chegaram sofás.'])
  await expect(helena.getByText('Finalizada', { exact: true })).toBeVisible()
})
