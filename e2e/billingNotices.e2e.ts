import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { office } from './office.ts'
import { expectAccessible, PASSWORD } from './people.ts'
import { expect, type Served, test } from './world.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const noScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** A company with a plan, and who pays for it. */
async function client({ url }: Served) {
  const { call } = await callsOf(url, 'master@balcao.test')
  const stamp = newNumber()
  const email = `dona${stamp}@pagador.test`
  const body = { name: `Pagador ${stamp}`, email, userName: 'Dona', passwordDefault: PASSWORD }
  const { company } = await call(clients.create, { body })
  const { plans: offered } = await call(plans.public)
  const { id: planId } = await call(plans.assign, {
    params: { companyId: company.id, planId: offered[0]!.id },
  })
  const invoice = (day: number, paymentLink = '') => {
    const start = `2030-01-${String(day).padStart(2, '0')}`
    return call(invoices.create, {
      params: { planId },
      body: {
        ...{ startInvoicePeriod: start, endInvoicePeriod: '2030-02-28', dueDate: start, paymentLink },
        ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1 },
      },
    })
  }
  const pay = (invoiceId: number) =>
    call(invoices.pay, { params: { invoiceId }, body: { payDate: '2026-11-20' } })
  return { call, companyId: company.id, email, invoice, pay }
}

test('the operator writes a template, sees how it looks, sends himself a sample and finds it in use (NTPL-001 … NTPL-005, ROUTE-038, ROUTE-039, MENU-013) [GEN-005, GEN-023, GEN-024, ROUTE-038 … ROUTE-039, MENU-013, NTPL-001 … NTPL-005]', async ({
  people,
}) => {
  const operator = await people.master()
  await operator.getByRole('button', { name: 'Administração SaaS', exact: true }).click()
  const menu = operator.getByRole('menuitem')
  for (const entry of ['Empresas', 'Planos', 'Modelos de aviso', 'Faturas', 'Controle do sistema'])
    await expect(menu.filter({ hasText: entry })).toBeVisible()
  await menu.filter({ hasText: 'Modelos de aviso' }).click()
  await expect(operator).toHaveURL(/\/notificationTemplateList$/i)
  await expect(operator.getByText('Nenhum modelo ainda')).toBeVisible()
  await operator.getByRole('link', { name: 'Novo modelo' }).click()
  await expect(operator).toHaveURL(/\/notificationTemplateManager$/)
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Obrigatório', { exact: true })).toBeVisible()
  await field(operator, 'Nome').fill('Cobrança')
  await field(operator, 'Assunto do e-mail').fill('Oi, {{contactName}}: {{valueBrl}}')
  await field(operator, 'HTML do e-mail').fill('<h1>{{valueBrl}}</h1><script>parent.alert(1)</script>')
  const preview = operator.getByRole('region', { name: 'Como fica' })
  await expect(preview).toContainText('Oi, Maria Souza: R$ 99,90')
  await expect(preview).toContainText('Olá, Maria Souza.')
  await expect(
    preview.frameLocator('iframe').first().getByRole('heading', { name: 'R$ 99,90' }),
  ).toBeVisible()
  await field(operator, 'HTML do e-mail').fill('<h1>{{valueBrl}}</h1>')
  await expectAccessible(operator)
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Modelo salvo', { exact: true })).toBeVisible()
  await expect(operator).toHaveURL(/\/notificationTemplateManager\/\d+$/)

  const sample = operator.getByRole('group', { name: 'Enviar teste' })
  await sample.getByRole('button', { name: 'Enviar' }).click()
  await expect(sample.getByText('Obrigatório')).toBeVisible()
  await sample.getByLabel('E-mail').fill('operador@balcao.test')
  await sample.getByRole('button', { name: 'Enviar' }).click()
  await expect(operator.getByText('Teste enviado')).toBeVisible()
  const letter = await office.letterTo('operador@balcao.test')
  expect(letter.subject).toBe('Oi, Maria Souza: R$ 99,90')
  await sample.getByLabel('E-mail').fill('')
  await sample.getByLabel('WhatsApp').fill('5511988887777')
  await sample.getByRole('button', { name: 'Enviar' }).click()
  // no connection carries the notices yet
  await expect(sample.getByText(/conexão/)).toBeVisible()

  await operator.setViewportSize({ width: 390, height: 780 })
  expect(await noScroll(operator)).toBe(true)
  await operator.getByRole('button', { name: 'Voltar aos modelos' }).click()
  const row = operator.getByRole('row').filter({ hasText: 'Cobrança' })
  await expect(row.getByText('Em uso')).toBeVisible()
  await row.getByRole('button', { name: 'Excluir Cobrança' }).click()
  await dialogOf(operator).getByRole('button', { name: 'Excluir' }).click()
  await expect(operator.getByText('Nenhum modelo ainda')).toBeVisible()

  const helena = await people.admin({ at: '/notificationTemplateList' })
  await expect(helena).toHaveURL('/tickets')
})

test('a notice leads to the payment, or shows the PIX code; what nobody wrote is said to be gone (ROUTE-008, NREDIR-001, OP-123) [ROUTE-008, OP-123 … OP-124, NREDIR-001]', async ({
  people,
  world,
}) => {
  const { call, companyId, email, invoice, pay } = await client(world)
  const rute = `rute${newNumber()}@pagador.test`
  await call(billingNotices.addContact, { body: { contactName: 'Rute', email: rute, companyId } })
  const linked = await invoice(1, `${world.url}/signup`)
  const plain = await invoice(2)
  const told = async () => (await call(billingNotices.listNotices, { params: { companyId } })).notices
  const noticeOf = async (invoiceId: number) => (await told()).find(one => one.invoiceId === invoiceId)!.id

  const visitor = await people.visitor({ viewport: { width: 390, height: 780 } })
  await visitor.goto(`/n/email/${await noticeOf(linked.id)}`)
  await visitor.waitForURL('**/signup')
  await visitor.goto(`/n/email/${await noticeOf(plain.id)}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Fatura de R$ 99,90')
  await expect(visitor.getByText('Vencimento: 02/01/2030')).toBeVisible()
  await expect(visitor.getByRole('textbox', { name: 'PIX copia e cola' })).toHaveValue(/^000201/)
  expect(await noScroll(visitor)).toBe(true)
  await expectAccessible(visitor)
  await pay(plain.id)
  await visitor.reload()
  await expect(visitor.getByText('Esta fatura já foi paga')).toBeVisible()
  for (const gone of [`/n/wpp/${await noticeOf(plain.id)}`, '/n/sms/1', '/n/email/1', '/n/email/a'])
    await visitor.goto(gone).then(() => expect(visitor.getByText('Este aviso não existe mais')).toBeVisible())

  // the payment is confirmed at once, and the list shows the notice as sent
  expect((await office.letterTo(rute)).subject).toContain('R$ 99,90')
  const dona = await people.loggedIn(email, { at: '/clientCompanyManager' })
  const sent = dona.getByRole('table', { name: 'Avisos das faturas' })
  await expect(sent.getByRole('row').filter({ hasText: 'Pagamento confirmado' })).toContainText('Enviado')
})
