import { type AsaasServer, startAsaasServer } from '@balcao/asaas-server/server.ts'
import { clients } from '@balcao/contract/clients.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { expect, test as inOffice } from './office.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { startWorld, type World } from './world.ts'

const TOKEN = 'segredo-do-webhook-com-32-caracteres'

/** The product with a post office, and with a provider that collects. */
const test = inOffice.extend<object, { asaas: AsaasServer; world: World }>({
  asaas: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
      await use(asaas)
      await asaas.close()
      expect([asaas.unknown, asaas.errors]).toEqual([[], []])
    },
    { scope: 'worker' },
  ],
  world: [
    async ({ office, asaas }, use) => {
      const world = await startWorld({
        ...office.env,
        ...{ ASAAS_URL: asaas.url, ASAAS_TOKEN: asaas.token, ASAAS_WEBHOOK_TOKEN: TOKEN },
        OUTBOUND_ALLOW: '127.0.0.1',
      })
      asaas.webhooks.tell(`${world.url}/payments/asaas`, TOKEN)
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('a prospect tries, is invoiced, pays where the provider collects, sees it paid at once and is thanked (INVOICE-003, LEAD-020, OP-124)', async ({
  people,
  office,
  asaas,
  world,
}) => {
  const ana = await people.visitor()
  await ana.goto('/store')
  const email = `ana${Date.now()}@loja.test`
  await text(ana, 'Nome').fill('Ana Prado')
  await text(ana, 'Número de WhatsApp').fill('+55 11 99999-0001')
  await text(ana, 'E-mail').fill(email)
  await ana.getByRole('button', { name: 'Iniciar teste gratis' }).click()
  const letter = await office.letterTo(email)
  await ana.goto(/https:\/\/balcao\.test(\/subscription\/[\w.-]+)/.exec(letter.text)![1]!)
  await text(ana, 'CPF ou CNPJ').fill('529.982.247-25')
  await text(ana, 'Nome da empresa').fill('Loja da Ana')
  const contact = ana.getByRole('group', { name: 'Contato 1' })
  await contact.getByLabel('Nome').fill('Ana')
  await contact.getByLabel('E-mail (opcional)').fill(email)
  await ana.getByRole('button', { name: 'Concluir cadastro' }).click()
  await expect(ana.getByText(/^Cadastro concluído com exito/)).toBeVisible()
  const { token } = await office.letterTo(email, 1)
  await ana.goto(`/reset#${token}`)
  await ana.getByLabel('Nova senha', { exact: true }).fill('minha-senha')
  await ana.keyboard.press('Enter')
  await ana.waitForURL('**/login')
  await text(ana, 'E-mail').fill(email)
  await ana.getByLabel('Senha', { exact: true }).fill('minha-senha')
  await ana.getByRole('button', { name: 'Acessar' }).click()
  await ana.waitForURL('**/tickets')
  await ana.goto('/clientCompanyManager')
  await expect(ana.locator('[data-notice-contact]')).toContainText(email)

  const { call } = await callsOf(world.url, 'master@balcao.test')
  const { companies } = await call(clients.list, { query: { searchParam: email } })
  const operator = await people.master({ viewport: { width: 900, height: 900 } })
  await inTheDark(operator)
  await operator.goto(`/companiesManager/${companies[0]!.id}`)
  await operator.getByRole('button', { name: 'Adicionar fatura' }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByLabel('Valor').fill('89,90')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Fatura criada')).toBeVisible()

  const row = ana.locator('[data-invoice]').first()
  await expect(row).toContainText('R$ 89,90')
  const pay = row.getByRole('link', { name: /^Pagar/ })
  await expect(pay).toBeVisible()
  const payment = asaas.payments[0]!
  await expect(pay).toHaveAttribute('href', payment.invoiceUrl)
  expect(asaas.customers[0]).toMatchObject({ name: 'Loja da Ana', cpfCnpj: '52998224725', email })
  await expectAccessible(ana)
  asaas.pay(payment.id)
  await expect(row).toContainText('Recebida')
  await expect(operator.locator('[data-invoice]').first()).toContainText('Recebida')
  await expect(pay).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Abrir o recibo' })).toBeVisible()
  await expect
    .poll(() => office.letters.filter(one => one.to === email && one.subject.includes('R$ 89,90')).length)
    .toBeGreaterThan(0)
  await ana.reload()
  const sent = ana.getByRole('table', { name: 'Avisos das faturas' })
  await expect(sent.getByRole('row').filter({ hasText: /Pagamento confirmado.*E-mail/ })).toContainText(
    'Enviado',
  )
})
