import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { FailedNote, fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { Invoice, invoices } from '@balcao/contract/invoices.ts'
import { Payment, ProviderNews, payments } from '@balcao/contract/payments.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

const NO_NOTES = { notes: [], hasMore: false }
const NO_NEWS = { news: [], hasMore: false }

const payment = (given: Partial<Payment>) =>
  sample(Payment, {
    ...{ value: 9_990, valueBrl: 'R$ 99,90', freeValue: 9_990, source: 'provider', provider: 'asaas' },
    ...{ companyId: 2, companyName: 'Lume Móveis', paidOn: '2026-11-04', review: 'twice' },
    ...{ askedRefund: null, refundProblem: '', returnedValue: 0 },
    ...given,
  })

const invoice = (given: Partial<Invoice>) =>
  sample(Invoice, {
    ...{ planId: 4, startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', value: 9_990 },
    ...given,
  })

test('money that came twice or for no known invoice is assigned, kept as credit or given back by the operator', async () => {
  const waiting = [
    payment({ id: 1, providerId: 'pay_1', freeValue: 4_990 }),
    payment({ id: 2, companyId: null, companyName: '', review: 'unknown' }),
    payment({ id: 3, review: 'cancelled', source: 'manual', provider: '', recordedBy: 'Operador' }),
  ]
  const settled = (id: number) => {
    const at = waiting.findIndex(one => one.id === id)
    return waiting.splice(at, 1)[0]!
  }
  let isSpent = true
  const page = enter('/receipts', operator, {
    answers: server =>
      server
        .on(payments.news, NO_NEWS)
        .on(fiscalNotes.failed, NO_NOTES)
        .on(payments.toReview, () => ({ payments: waiting, hasMore: false }))
        .on(clients.list, {
          companies: [sample(ClientCompany, { id: 5, name: 'Ateliê Norte' })],
          hasMore: false,
        })
        .on(plans.ofCompany, [sample(Plan, { id: 4 })])
        .on(invoices.list, ({ query }) =>
          query.pageNumber === 2
            ? { list: [invoice({ id: 8, state: 'partlyPaid', paidValue: 5_000 })], hasMore: false }
            : { list: [invoice({ id: 7, state: 'paid' })], hasMore: true },
        )
        .on(payments.assign, ({ params }) => {
          if (isSpent) refuse(400, 'ERR_PAYMENT_SPENT')
          return settled(params.paymentId)
        })
        .on(payments.credit, ({ params }) => settled(params.paymentId))
        .on(payments.refund, ({ params }) => settled(params.paymentId)),
  })
  await page.sees('R$ 49,90 de R$ 99,90', 'pay_1', 'A fatura já estava paga', 'Desconhecida')
  expect(page.row('Desconhecida').maybe('button', /^Devolver/)).not.toBeNull()

  await page.row('pay_1').press(/em uma fatura$/)
  await page.dialog().press('Procurar nas mais antigas')
  await page.dialog().choose('Fatura', '01/11/2026 – 30/11/2026: falta R$ 49,90')
  await page.dialog().press('Usar na fatura')
  await page.sees('Deste pagamento não resta nada')
  isSpent = false
  await page.dialog().press('Usar na fatura')
  await page.closed()
  expect(page.server.asked(payments.assign).at(-1)?.body).toEqual({ invoiceId: 8 })

  await page.row('Desconhecida').press(/como crédito$/)
  await page.dialog().pick('Empresa', 'Ateliê Norte')
  await page.dialog().press('Guardar como crédito')
  await page.closed()
  expect(page.server.asked(payments.credit)[0]?.body).toEqual({ companyId: 5 })

  await page.row('Operador').press(/^Devolver/)
  await page.dialog().sees('Registra que você devolveu')
  await page.dialog().fill('Motivo', 'Pago por engano')
  await page.dialog().press('Devolver')
  await page.sees('Nada a conferir')
  expect(page.server.asked(payments.refund)[0]?.body).toEqual({
    reason: 'Pago por engano',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('a refund that is under way at the provider is shown without an action, and one that failed says why', async () => {
  const askedRefund = { value: 4_990, at: '2026-11-05T15:00:00.000Z', isAccepted: true }
  const page = enter('/receipts', operator, {
    answers: server =>
      server
        .on(payments.news, NO_NEWS)
        .on(fiscalNotes.failed, NO_NOTES)
        .on(payments.toReview, {
          payments: [
            payment({ id: 1, providerId: 'pay_1', review: null, freeValue: 0, askedRefund }),
            payment({
              id: 2,
              providerId: 'pay_2',
              review: 'refundRefused',
              refundProblem: 'refundCancelled',
            }),
            payment({
              id: 3,
              providerId: 'pay_3',
              review: 'refundRefused',
              refundProblem: 'Asaas: saldo (400)',
            }),
          ],
          hasMore: false,
        }),
  })
  await page.sees('A devolução falhou: o provedor a cancelou', 'A devolução falhou: Asaas: saldo (400)')
  await page.row('pay_1').sees('R$ 49,90 de R$ 99,90', 'Devolução pedida em 05/11/2026, em andamento')
  expect(page.row('pay_1').maybe('button', /^(Usar|Guardar|Devolver)/)).toBeNull()
})

test('the operator says whether what a provider gave back unasked was a gift, and pays an invoice with credit', async () => {
  const given = { review: 'returned' as const, freeValue: 0, returnedValue: 2_000 }
  const waiting = [payment({ id: 1, providerId: 'pay_1', ...given })]
  const page = enter('/receipts', operator, {
    answers: server =>
      server
        .on(payments.news, NO_NEWS)
        .on(fiscalNotes.failed, NO_NOTES)
        .on(payments.toReview, () => ({ payments: waiting, hasMore: false }))
        .on(payments.answer, () => waiting.pop()!),
  })
  await page.sees('O provedor devolveu R$ 20,00 sem pedido daqui: foi cortesia ou estorno?')
  await page.row('pay_1').press('R$ 20,00 foram cortesia: não cobrar de novo')
  await page.sees('Nada a conferir')
  expect(page.server.asked(payments.answer)[0]?.body).toMatchObject({ isGift: true })

  const company = enter('/companiesManager/2', operator, {
    answers: server =>
      server
        .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
        .on(plans.ofCompany, [sample(Plan, { id: 4, companyId: 2 })])
        .on(payments.credits, { payments: [payment({ id: 1, review: null })], hasMore: false })
        .on(invoices.list, {
          list: [invoice({ id: 8, state: 'open', status: 'PENDING', paidValue: 0 })],
          hasMore: false,
        })
        .on(payments.applyCredit, { used: 9_990, usedBrl: 'R$ 99,90' }),
  })
  await company.press('Pagar uma fatura com o crédito')
  await company.dialog().choose('Fatura', /01\/11\/2026 – 30\/11\/2026/)
  await company.dialog().press('Usar na fatura')
  await company.closed()
  expect(company.server.asked(payments.applyCredit)[0]?.body).toMatchObject({ invoiceId: 8 })
  company.server.complaints.length = 0
})

test('fiscal notes that were refused are issued again, or done without', async () => {
  const notes = [
    sample(FailedNote, {
      ...{ id: 3, companyId: 2, companyName: 'Lume Móveis', valueBrl: 'R$ 99,90' },
      problem: 'Código de serviço inválido',
    }),
  ]
  const page = enter('/receipts', operator, {
    answers: server =>
      server
        .on(payments.news, NO_NEWS)
        .on(payments.toReview, { payments: [], hasMore: false })
        .on(fiscalNotes.failed, () => ({ notes, hasMore: false }))
        .on(fiscalNotes.again, () => {
          notes.pop()
          return {}
        }),
  })
  await page.sees('Código de serviço inválido')
  await page.press('Emitir de novo a nota de Lume Móveis, R$ 99,90')
  await page.sees('A nota será emitida de novo')
  await page.lacks('Código de serviço inválido')
})

test('what a provider says beside money is read by the operator, also what nobody knows', async () => {
  const said = [
    sample(ProviderNews, {
      id: 1,
      kind: 'unknown',
      event: 'PAYMENT_TELEPORTED',
      provider: 'asaas',
      times: 1,
    }),
    sample(ProviderNews, {
      ...{ id: 2, kind: 'dispute', event: 'payment', provider: 'mercadopago', times: 3 },
      ...{ subject: '777', detail: 'charged_back in_process', companyName: 'Lume Móveis' },
    }),
  ]
  const page = enter('/receipts', operator, {
    answers: server =>
      server
        .on(payments.toReview, { payments: [], hasMore: false })
        .on(fiscalNotes.failed, NO_NOTES)
        .on(payments.news, () => ({ news: said, hasMore: false }))
        .on(payments.readNews, ({ params }) => {
          said.splice(
            said.findIndex(({ id }) => id === params.newsId),
            1,
          )
          return {}
        }),
  })
  await page.sees('A plataforma não conhece este aviso', 'charged_back in_process', '3 vezes', 'Lume Móveis')
  await page.row('PAYMENT_TELEPORTED').press('Marcar PAYMENT_TELEPORTED como lido')
  await page.sees('Aviso lido')
  await page.row('777').press(/como lido$/)
  await expect.poll(() => page.maybe('table', 'Avisos dos provedores')).toBeNull()
})

test('whoever is no operator sees no money of others', async () => {
  enter('/receipts', helena)
  await expect.poll(() => location.pathname).toBe('/tickets')
})
