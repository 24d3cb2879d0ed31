import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { expect, test } from './office.ts'
import { expectAccessible, inTheDark, PASSWORD } from './people.ts'
import type { World } from './world.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const noScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** A company with a plan, and who pays for it. */
async function client({ url }: World) {
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

test('the operator writes a template, sees how it looks, sends himself a sample and finds it in use (NTPL-001 … NTPL-005, ROUTE-038, ROUTE-039, MENU-013)', async ({
  people,
  office,
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
  await expectAccessible(operator)
  await row.getByRole('button', { name: 'Excluir Cobrança' }).click()
  await dialogOf(operator).getByRole('button', { name: 'Excluir' }).click()
  await expect(operator.getByText('Nenhum modelo ainda')).toBeVisible()

  const helena = await people.admin({ at: '/notificationTemplateList' })
  await expect(helena).toHaveURL('/tickets')
})

test('who pays names who hears of invoices; the number is asked of WhatsApp; the operator changes it, too (NSUB-001 … NSUB-010, GEN-006, OP-16)', async ({
  people,
  world,
}) => {
  const { email, companyId } = await client(world)
  const { call } = await callsOf(world.url, 'master@balcao.test')
  // a connection of the operator’s own company is asked
  const { id: whatsappId } = await call(connections.create, {
    body: { name: `Central ${newNumber()}`, lib: 'simulator' },
  })
  await call(connections.start, { params: { whatsappId } })
  await expect
    .poll(async () => (await call(connections.show, { params: { whatsappId } })).status, { timeout: 20_000 })
    .toBe('CONNECTED')
  const dona = await people.loggedIn(email, { at: '/clientCompanyManager' })
  await expect(dona.getByText('Ninguém recebe avisos ainda')).toBeVisible()
  await dona.getByRole('button', { name: 'Adicionar contato' }).click()
  const dialog = dialogOf(dona)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('Nome').fill('Rute')
  await dialog.getByLabel('E-mail', { exact: true }).fill('rute@pagador.test')
  await dialog.getByLabel('WhatsApp', { exact: true }).fill('+55 (11) 98888-7777')
  await dialog.getByLabel('Nome').focus()
  await expect(dona.getByText('Este numero possui um WhatsApp').first()).toBeVisible()
  await expect(dialog.getByLabel('WhatsApp', { exact: true })).toHaveValue('5511988887777')
  for (const event of ['Fatura criada', 'Vencimento', 'Atraso', 'Pagamento confirmado'])
    for (const way of ['WhatsApp', 'e-mail'])
      await expect(dialog.getByRole('switch', { name: `${event} por ${way}` })).toBeChecked()
  await expect(dialog.getByLabel('Lembrar antes do vencimento')).toHaveValue('5')
  await dialog.getByLabel('Lembrar de novo depois').selectOption('Desativado')
  await dialog.getByRole('switch', { name: 'Atraso por WhatsApp' }).click()
  await expectAccessible(dona)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  const [kept] = await call(billingNotices.listContacts, { params: { companyId } })
  expect(kept).toMatchObject({
    ...{ contactName: 'Rute', whatsapp: '5511988887777', whatsappVAlidatedNumber: 'valido' },
    ...{ whatsappDelayedPayment: false, invoiceDaysAfterExpiration: 0, invoiceDaysBeforeExpiration: 5 },
  })

  const operator = await people.master({ viewport: { width: 390, height: 780 } })
  await inTheDark(operator)
  await operator.goto(`/companiesManager/${companyId}`)
  const row = operator.locator(`[data-notice-contact="${kept!.id}"]`)
  await row.getByRole('button', { name: 'Editar Rute' }).click()
  const mine = dialogOf(operator)
  // nobody has it: what stands is not changed to it
  await mine.getByLabel('WhatsApp', { exact: true }).fill('551198880000')
  await mine.getByLabel('Nome').focus()
  await expect(mine.getByRole('status')).toHaveText('Este numero não possui um WhatsApp')
  await mine.getByRole('button', { name: 'Salvar' }).click()
  await expect(mine.getByText('Este numero não possui um WhatsApp').first()).toBeVisible()
  await expect(mine).toBeVisible()
  await mine.getByLabel('WhatsApp', { exact: true }).fill('')
  await mine.getByLabel('Nome').fill('Rute Dias')
  await expectAccessible(operator)
  expect(await noScroll(operator)).toBe(true)
  await mine.getByRole('button', { name: 'Salvar' }).click()
  await expect(row).toContainText('Rute Dias')
  await row.getByRole('button', { name: 'Excluir Rute Dias' }).click()
  await mine.getByRole('button', { name: 'Excluir' }).click()
  await expect(operator.getByText('Ninguém recebe avisos ainda')).toBeVisible()
})

test('a notice leads to the payment, or shows the PIX code; what nobody wrote is said to be gone (ROUTE-008, NREDIR-001, OP-123)', async ({
  people,
  office,
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

  // who paid is thanked at once, and the list says that it left
  expect((await office.letterTo(rute)).subject).toContain('R$ 99,90')
  const dona = await people.loggedIn(email, { at: '/clientCompanyManager' })
  const sent = dona.getByRole('table', { name: 'Avisos das faturas' })
  await expect(sent.getByRole('row').filter({ hasText: 'Pagamento confirmado' })).toContainText('Enviado')
  await expectAccessible(dona)
})
