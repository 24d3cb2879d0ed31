import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { Invoice, invoiceChannelOf, invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const days = { startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-05' }
const pending = (given: Partial<Invoice> = {}) =>
  sample(Invoice, {
    ...{ id: 6, planId: 4, companyId: 2, ...days, value: 123_450, valueBrl: 'R$ 1.234,50', recurrence: 1 },
    ...{ status: 'PENDING', billingType: 'PIX', pixCode: '000201 código' },
    ...given,
  })
const paid = (given: Partial<Invoice> = {}) =>
  pending({ status: 'RECEIVED', state: 'paid', payDate: '2026-11-04', pixCode: '', ...given })

const cancelled = (given: Partial<Invoice> = {}) =>
  paid({ state: 'cancelled', payDate: null, cancelReason: 'Cobrada em dobro', ...given })

const answering =
  (rows: Invoice[]) =>
  (server: Server): Server =>
    server
      .on(plans.ofCompany, [sample(Plan, { id: 4, name: 'Padrão' })])
      .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
      .on(clients.list, { companies: [], hasMore: false })
      .on(invoices.list, () => ({ list: rows, hasMore: false }))

test('what came in for an invoice is written down by the operator, with its receipt, and taken back', async () => {
  const rows = [pending()]
  const page = enter('/invoices/2', operator, {
    answers: server =>
      answering(rows)(server).on(invoices.pay, ({ body }) => {
        rows[0] = body.payDate
          ? paid({ payDate: body.payDate, transactionReceiptUrl: body.transactionReceiptUrl })
          : pending()
        page.server.push(invoiceChannelOf(4), { action: 'update', invoice: rows[0] })
        return rows[0]
      }),
  })
  await page.sees('R$ 1.234,50', 'Pendente')
  await page.press(/^Registrar o pagamento/)
  const dialog = page.dialog()
  expect(await dialog.field('Valor pago')).toHaveValue('1.234,50')
  await dialog.fill('Endereço do recibo', 'banco')
  await dialog.press('Salvar')
  await dialog.sees('Deve ser uma URL válida')
  await dialog.fill('Endereço do recibo', 'https://banco.test/recibo')
  await dialog.press('Salvar')
  await page.sees('Pagamento registrado', 'Recebida')
  expect(page.maybe('button', /^Excluir a fatura/)).toBeNull()
  await page.press(/^Desfazer o pagamento/)
  await page.sees('Pendente')
  expect(page.server.asked(invoices.pay).map(({ body }) => body.payDate === null)).toEqual([false, true])
})

test('a part is paid, the rest is cancelled with a reason, and both stand beside the invoice', async () => {
  const rows = [
    pending(),
    cancelled({ id: 7, cancelReason: 'paused' }),
    cancelled({ id: 8, state: 'refunded' }),
    pending({ id: 9, status: 'OVERDUE', state: 'partlyPaid', paidValue: 23_450 }),
  ]
  const page = enter('/invoices/2', operator, {
    answers: server =>
      answering(rows)(server)
        .on(invoices.pay, () => (rows[0] = pending({ state: 'partlyPaid', paidValue: 100_000 })))
        .on(invoices.cancel, ({ body }) => (rows[0] = cancelled({ cancelReason: body.reason })))
        .on(invoices.ask, () => (rows[0] = pending({ paymentProblem: '' }))),
  })
  await page.sees('A assinatura está pausada', 'Estornada', 'Vencida: falta R$ 1.000,00')
  // of what is cancelled nothing is paid, reverted, cancelled or deleted
  expect(page.row('Estornada').all('button')).toEqual([])
  expect(page.row('Estornada').element.querySelectorAll('s')).toHaveLength(2)
  await page.row('Pendente').press(/^Registrar o pagamento/)
  await page.dialog().fill('Valor pago', 'mil')
  await page.dialog().press('Salvar')
  await page.dialog().sees('Valor como 1.234,50')
  await page.dialog().fill('Valor pago', '1.000')
  await page.dialog().press('Salvar')
  await page.sees('Falta R$ 234,50')
  // with what was seen, so that a second tab records nothing twice
  expect(page.server.asked(invoices.pay).map(({ body }) => [body.valueBrl, body.paidValue])).toEqual([
    ['1.000', 0],
  ])
  expect(page.row('Falta R$ 234,50').maybe('button', /^Excluir/)).toBeNull()
  await page.row('Falta R$ 234,50').press(/^Cancelar a fatura/)
  await page.dialog().sees('O que já foi pago paga a fatura em aberto mais antiga')
  await page.dialog().press('Cancelar fatura')
  await page.dialog().sees('Too Short!')
  await page.dialog().fill('Motivo', 'Cobrada em dobro')
  await page.dialog().press('Cancelar fatura')
  await page.sees('Fatura cancelada')
  await page.row('Cobrada em dobro').sees('Cancelada')
})

test('what was paid is given back in part, as a courtesy or so that it is owed again, and an invoice says what it asks for', async () => {
  const rows = [
    pending({ status: 'RECEIVED', state: 'paid', paidValue: 123_450, value: 123_450, creditedValue: 6_660 }),
    pending({ id: 9, carriedValue: 333 }),
  ]
  const page = enter('/invoices/2', operator, {
    answers: server => answering(rows)(server).on(payments.refundInvoice, {}),
  })
  await page.sees('R$ 66,60 não são cobrados', 'Inclui R$ 3,33 que faltavam de faturas anteriores')
  await page.row('R$ 66,60').press(/^Devolver o que foi pago/)
  await page.dialog().fill('Valor a devolver', '100,00')
  await page.dialog().press('Fica em aberto de novo')
  await page.dialog().fill('Motivo', 'Cobrada em dobro')
  await page.dialog().press('Devolver')
  await page.sees('Devolução registrada')
  expect(page.server.asked(payments.refundInvoice).map(({ body }) => body)).toEqual([
    {
      ...{ valueBrl: '100,00', isGift: false, reason: 'Cobrada em dobro' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
})

test('who pays asks for a charge again that the provider refused', async () => {
  const rows = [pending({ paymentProblem: 'CPF inválido', pixCode: '' })]
  const page = enter('/clientCompanyManager', helena, {
    answers: server => answering(rows)(server).on(invoices.ask, () => (rows[0] = pending())),
  })
  await page.sees('CPF inválido')
  rows[0] = pending({ paymentProblem: 'belowLeast', pixCode: '' })
  page.server.push(invoiceChannelOf(4), { action: 'update', invoice: rows[0] })
  await page.sees('Falta menos do que o mínimo de uma cobrança')
  expect(page.maybe('button', /^Pagar por PIX/)).toBeNull()
  await page.press(/^Pedir de novo a cobrança/)
  await page.sees('Cobrança pedida')
  await page.lacks('Falta menos do que o mínimo')
  page.server.complaints.length = 0
})

test('who pays has the link or the PIX code of what waits, and the receipt of what is paid as soon as it is [INVOICE-001 … INVOICE-009]', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const rows = [pending(), pending({ id: 7, paymentLink: 'https://banco.test/boleto', pixCode: '' })]
  const page = enter('/clientCompanyManager', helena, { answers: answering(rows) })
  const table = page.part('table', 'Faturas')
  const link = await page.find('link', /^Pagar a fatura/)
  expect(link).toHaveAttribute('href', 'https://banco.test/boleto')
  expect(table.maybe('button', /^(Excluir|Registrar|Cancelar)/)).toBeNull()
  await table.press(/^Pagar por PIX/)
  await page.dialog().sees('000201 código')
  await page.dialog().press('Fechar')
  rows[0] = paid({ transactionReceiptUrl: 'https://banco.test/recibo' })
  page.server.push(invoiceChannelOf(4), { action: 'update', invoice: rows[0] })
  await table.sees('Recebida')
  expect(table.maybe('button', /^Pagar por PIX/)).toBeNull()
  await table.press('Abrir o recibo')
  expect(opened.mock.calls[0]?.[0]).toBe('https://banco.test/recibo')
  opened.mockRestore()
  page.server.complaints.length = 0
})

test('whoever is no operator has no invoices of others', async () => {
  enter('/invoices', helena)
  await expect.poll(() => location.pathname).toBe('/tickets')
})
