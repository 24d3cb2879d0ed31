import { clients } from '@balcao/contract/clients.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { Page } from '@playwright/test'
import { type Calls, callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible, inTheDark, PASSWORD } from './people.ts'
import { expect, type Served, test } from './world.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, id: number) => page.locator(`[data-invoice="${id}"]`)

/** A company with a plan, and who pays for it. */
async function client({ url }: Served) {
  const { call } = await callsOf(url, 'master@balcao.test')
  const stamp = newNumber()
  const name = `Cliente ${stamp}`
  const email = `dona${stamp}@cliente.test`
  const body = { name, email, userName: 'Dona', passwordDefault: PASSWORD }
  const { company } = await call(clients.create, { body })
  const { plans: offered } = await call(plans.public)
  const { id: planId } = await call(plans.assign, {
    params: { companyId: company.id, planId: offered[0]!.id },
  })
  return { call, companyId: company.id, planId, name, email }
}

test('the operator makes an invoice, who pays sees it at once and copies its PIX code, and sees it paid; on a phone in the dark nothing is cut off, and older ones come as one scrolls (INVOICE-001 … INVOICE-010, ROUTE-051) [GEN-006, ROUTE-051, COMPANY-001 … COMPANY-012, OP-14, INVOICE-001 … INVOICE-009, INVOICE-010]', async ({
  people,
  world,
}) => {
  const { call, name, email, planId } = await client(world)
  const permissions = ['clipboard-read', 'clipboard-write']
  const dona = await people.loggedIn(email, { at: '/clientCompanyManager', permissions })
  await expect(dona.getByText('Nenhuma fatura')).toBeVisible()
  await expect(dona.getByRole('button', { name: 'Adicionar fatura' })).toHaveCount(0)

  const operator = await people.master()
  await operator.getByRole('button', { name: 'Administração SaaS', exact: true }).click()
  await operator.getByRole('menuitem', { name: 'Faturas' }).click()
  await expect(operator).toHaveURL('/invoices')
  await operator.getByRole('combobox', { name: 'Empresa' }).fill(name)
  await operator.getByRole('option', { name }).click()
  await operator.getByRole('button', { name: 'Adicionar fatura' }).click()
  const dialog = dialogOf(operator)
  await dialog.getByLabel('Valor').fill('-3')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Valor como 1.234,50')).toBeVisible()
  await dialog.getByLabel('Valor').fill('1.234,50')
  await dialog.getByLabel('Fim do período').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('O fim vem depois do início')).toBeVisible()
  const start = await dialog.getByLabel('Início do período').inputValue()
  await dialog.getByLabel('Fim do período').fill(start)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Fatura criada')).toBeVisible()

  const { list } = await call(invoices.list, { params: { planId } })
  const { id, pixCode } = list[0]!
  for (const page of [operator, dona]) {
    await expect(rowOf(page, id)).toContainText('R$ 1.234,50')
    await expect(rowOf(page, id)).toContainText('Pendente')
  }
  await expect(rowOf(dona, id).getByRole('button', { name: /^(Excluir|Registrar|Cancelar)/ })).toHaveCount(0)
  await rowOf(dona, id)
    .getByRole('button', { name: /^Pagar por PIX/ })
    .click()
  await expect(dialogOf(dona).getByRole('img', { name: 'PIX copia e cola' })).toBeVisible()
  await dialogOf(dona).getByRole('button', { name: 'Copiar: PIX copia e cola' }).click()
  await expect.poll(() => dona.evaluate(() => navigator.clipboard.readText())).toBe(pixCode)
  await expectAccessible(dona)
  await dona.keyboard.press('Escape')

  await rowOf(operator, id)
    .getByRole('button', { name: /^Registrar o pagamento/ })
    .click()
  const receipt = dialog.getByLabel('Endereço do recibo')
  // typed text goes to the focused element, and a dialog moves the focus once more when it has opened
  await expect(async () => {
    await receipt.fill('https://banco.test/recibo')
    await expect(receipt).toHaveValue('https://banco.test/recibo', { timeout: 500 })
  }).toPass()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Pagamento registrado')).toBeVisible()
  for (const page of [operator, dona]) await expect(rowOf(page, id)).toContainText('Recebida')
  await expect(rowOf(dona, id).getByRole('button', { name: 'Abrir o recibo' })).toBeVisible()
  await expect(rowOf(dona, id).getByRole('button', { name: /^Pagar/ })).toHaveCount(0)
  await rowOf(operator, id)
    .getByRole('button', { name: /^Desfazer o pagamento/ })
    .click()
  await expect(rowOf(dona, id)).toContainText('Pendente')
  await rowOf(operator, id)
    .getByRole('button', { name: /^Excluir a fatura/ })
    .click()
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  for (const page of [operator, dona]) await expect(page.getByText('Nenhuma fatura')).toBeVisible()

  await manyInvoices(call, planId)
  await inTheDark(dona)
  await dona.setViewportSize({ width: 390, height: 844 })
  await dona.reload()
  await expect(dona.locator('[data-invoice]').first()).toContainText('22/01/2030')
  await expect
    .poll(async () => {
      await dona.locator('[data-invoice]').last().scrollIntoViewIfNeeded()
      return dona.locator('[data-invoice]').count()
    })
    .toBe(22)
  expect(await dona.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

/** More than a page. */
const manyInvoices = (call: Calls['call'], planId: number) =>
  Promise.all(
    Array.from({ length: 22 }, (_, at) =>
      call(invoices.create, {
        params: { planId },
        body: {
          startInvoicePeriod: `2030-01-${String(at + 1).padStart(2, '0')}`,
          ...{ endInvoicePeriod: '2030-02-28', dueDate: '2030-01-30', valueBrl: '99,90' },
          ...{ billingType: 'BOLETO', recurrence: 1, paymentLink: 'https://banco.test/boleto' },
        },
      }),
    ),
  )
