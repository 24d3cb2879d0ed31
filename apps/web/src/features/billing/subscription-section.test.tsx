import { billing, PlanQuote, Subscription } from '@balcao/contract/billing.ts'
import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { companyExports } from '@balcao/contract/companyExports.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const nextInvoice = {
  ...{ start: '2026-12-01', end: '2026-12-31', issuedOn: '2026-11-21', value: 9_900 },
  valueBrl: 'R$ 99,00',
}
const subscription = (given: Partial<Subscription> = {}) =>
  sample(Subscription, {
    ...{ companyId: 2, isAutomatic: true, billedThrough: '2026-11-30', creditBrl: 'R$ 12,00', nextInvoice },
    ...given,
  })

const offered = [
  sample(Plan, {
    ...{ id: 8, name: 'Grande', value1Month: 20_000, value1MonthBrl: 'R$ 200,00' },
    ...{ value12Months: 15_000, value12MonthsBrl: 'R$ 150,00', value12MonthsDiscount: 25 },
  }),
  sample(Plan, { id: 9, name: 'Livre' }),
]
const own = (given: Partial<Plan> = {}) => sample(Plan, { id: 4, companyId: 2, name: 'Padrão', ...given })

const answering =
  (plan: Plan) =>
  (server: Server): Server =>
    server
      .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
      .on(plans.ofCompany, [plan])
      .on(plans.public, { plans: offered })
      .on(billing.show, subscription())

test('who pays sees the next invoice, and changes the plan by the price that is shown, which is withdrawn again', async () => {
  const change = { from: '2026-12-01', planName: 'Grande', recurrence: 'months12' as const }
  let due = 5_000
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(own({ recurrence: 'months3' }))(server)
        .on(billing.quote, ({ query }) => {
          if (query.planId === 9) refuse(400, 'ERR_PLAN_SAME')
          return sample(PlanQuote, {
            ...{ recurrence: query.recurrence, when: query.when, from: '2026-12-01', due },
            ...{ dueBrl: `R$ ${due / 100},00`, overAttendants: { used: 7, limit: 3 } },
          })
        })
        .on(billing.changePlan, ({ body }) => {
          if (body.due === due) return subscription({ change })
          return refuse(409, 'ERR_PRICE_CHANGED', { field: 'due' })
        })
        .on(billing.keepPlan, subscription()),
  })
  await page.sees('R$ 99,00 em 21/11/2026', '01/12/2026 – 31/12/2026', 'R$ 12,00')
  expect(page.maybe('button', 'Pausar')).toBeNull()
  await page.press('Trocar de plano')
  await page.sees('Confirmar a troca')
  const dialog = page.dialog()
  expect(await dialog.find('button', 'Confirmar a troca')).toBeDisabled()
  await dialog.press('Livre')
  // a free plan has no periods; a refusal says why
  await dialog.sees('Gratuito', 'já tem este plano')
  expect(dialog.maybe('radio', '12 meses')).toBeNull()
  await dialog.press('Grande')
  // the own period has no price in it: the first that has one is proposed, and only those are offered
  await dialog.sees('R$ 50,00', 'tem 7 atendentes, e o plano permite 3')
  const named = dialog.all('radio').map(one => one.getAttribute('aria-label'))
  expect(named.filter(Boolean)).toEqual(['Grande', 'Livre', '1 mês', '12 meses'])
  await dialog.press('12 meses')
  await dialog.press('No próximo período')
  await expect.poll(() => page.server.asked(billing.quote).at(-1)?.query.when).toBe('next')
  await expect.poll(() => dialog.maybe('button', 'Confirmar a troca')).toBeEnabled()
  due = 6_000
  await dialog.press('Confirmar a troca')
  await dialog.sees('R$ 60,00')
  await expect.poll(() => dialog.maybe('button', 'Confirmar a troca')).toBeEnabled()
  await dialog.press('Confirmar a troca')
  await page.closed()
  await page.sees('Em 01/12/2026 o plano muda para Grande, 12 meses.')
  expect(page.server.asked(billing.changePlan).map(({ body }) => body)).toEqual([
    { planId: 8, recurrence: 'months12', when: 'next', due: 5_000 },
    { planId: 8, recurrence: 'months12', when: 'next', due: 6_000 },
  ])
  await page.press('Manter o plano atual')
  await page.lacks('Em 01/12/2026')
  page.server.complaints.length = 0
})

test('the operator pauses a subscription, resumes it, and says from when a company is billed that was not', async () => {
  const days = { from: '2026-12-01', until: null, reason: 'Reforma' }
  const pause = { id: 3, kind: 'pause' as const, ...days, restsService: true }
  const unbilled = own({ value1Month: 9_900, numberAttendants: 1 })
  const page = enter('/companiesManager/2', operator, {
    answers: server =>
      answering(unbilled)(server)
        .on(billing.show, subscription({ isAutomatic: false, nextInvoice: null }))
        .on(plans.show, unbilled)
        .on(plans.change, unbilled)
        .on(billing.pause, subscription({ pauses: [pause] }))
        .on(billing.resume, subscription({ pauses: [{ ...pause, until: '2099-12-20' }] })),
  })
  await page.sees('o plano não fatura sozinho')
  await page.press('Pausar')
  await page.dialog().fill('Motivo', 'Reforma')
  await page.dialog().press(/O atendimento também para/)
  await page.dialog().press('Pausar')
  await page.sees('Desde 01/12/2026', 'Reforma · Sem atendimento')
  expect(page.server.asked(billing.pause)[0]?.body).toMatchObject({
    ...{ until: null, reason: 'Reforma', restsService: true },
  })
  await page.press(/^Retomar/)
  await page.dialog().press('Retomar')
  await page.sees('01/12/2026 até 20/12/2099')

  await page.press('Editar plano')
  await expect.poll(async () => (await page.dialog().field('Nome')).value).toBe('Padrão')
  await page.lacks('Faturar a partir de')
  await page.dialog().press('Fatura automática')
  expect((await page.dialog().field('Faturar a partir de')).value).toMatch(/^\d{4}-\d\d-\d\d$/)
  await page.dialog().fill('Faturar a partir de', '2027-01-10')
  await page.dialog().press('Salvar')
  await page.closed()
  expect(page.server.asked(plans.change)[0]?.body).toMatchObject({
    ...{ automaticInvoice: true, billedFrom: '2027-01-10' },
  })
  page.server.complaints.length = 0
})

test('after a trial that let it rest who pays takes the plan up; the operator prolongs a trial', async () => {
  const rests = subscription({ isResting: true, billedThrough: null, nextInvoice: null })
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(own({ value1Month: 9_900 }))(server)
        .on(billing.show, rests)
        .on(billing.takeUp, subscription()),
  })
  await page.sees('O teste terminou. Nada sai até o plano ser contratado')
  expect(page.maybe('button', 'Prorrogar teste')).toBeNull()
  await page.press('Contratar o plano')
  await page.lacks('O teste terminou.')

  const trial = (trialEndsOn: string) => subscription({ billedThrough: null, trialEndsOn })
  const theirs = enter('/companiesManager/2', operator, {
    answers: server =>
      answering(own({ value1Month: 9_900 }))(server)
        .on(billing.show, trial('2026-12-10'))
        .on(billing.change, trial('2026-12-17')),
  })
  await theirs.sees('10/12/2026')
  await theirs.press('Prorrogar teste')
  expect(await theirs.dialog().field('Teste até')).toHaveValue('2026-12-17')
  await theirs.dialog().press('Prorrogar teste')
  await theirs.closed()
  expect(theirs.server.asked(billing.change)[0]?.body).toEqual({ trialEndsOn: '2026-12-17' })
  await theirs.sees('17/12/2026')
  for (const { server } of [page, theirs]) server.complaints.length = 0
})

test('the operator sets the first day that a company is billed', async () => {
  const page = enter('/companiesManager/2', operator, {
    answers: server =>
      answering(own({}))(server)
        .on(billing.show, subscription({ billedFrom: '2026-11-20' }))
        .on(billing.change, subscription({ billedFrom: '2026-12-20' })),
  })
  await page.press('Início do faturamento')
  expect((await page.dialog().field('Primeiro dia faturado')).value).toBe('2026-11-20')
  await page.dialog().fill('Primeiro dia faturado', '2026-12-20')
  await page.dialog().press('Salvar')
  await page.closed()
  expect(page.server.asked(billing.change)[0]?.body).toEqual({ billedFrom: '2026-12-20' })
  page.server.complaints.length = 0
})

test('a dearer plan that works when it is paid says so, waits with its sum and day, and is given up', async () => {
  const order = {
    ...{ planName: 'Grande', recurrence: 'month1' as const, invoiceId: 7, due: 9_000 },
    ...{ dueBrl: 'R$ 90,00', payBy: '2026-12-06' },
  }
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(own())(server)
        .on(billing.quote, sample(PlanQuote, { due: 9_000, dueBrl: 'R$ 90,00', worksWhenPaid: true }))
        .on(billing.changePlan, subscription({ order }))
        .on(billing.keepPlan, subscription()),
  })
  await page.press('Trocar de plano')
  await page.dialog().press('Grande')
  await page.dialog().sees('O novo plano vale quando este valor for pago')
  await expect.poll(() => page.dialog().maybe('button', 'Confirmar a troca')).toBeEnabled()
  await page.dialog().press('Confirmar a troca')
  await page.sees('O plano Grande, 1 mês, vale assim que R$ 90,00 forem pagos, até 06/12/2026.')
  await page.press('Desistir da troca')
  await page.lacks('vale assim que')
  page.server.complaints.length = 0
})

test('a subscription is ended with a reason on the day that is shown, and goes on again', async () => {
  const ended = { mayEnd: true, endsOn: '2026-11-30', endReason: 'Fechamos' }
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(own())(server)
        .on(billing.show, subscription({ mayEnd: true, paidThrough: '2026-11-30' }))
        .on(billing.end, subscription(ended))
        .on(companyExports.show, { export: null })
        .on(companyExports.make, { export: null })
        .on(billing.goOn, subscription({ mayEnd: true, paidThrough: '2026-11-30' })),
  })
  await page.press('Encerrar assinatura')
  await page.dialog().sees('O serviço vai até 30/11/2026')
  await page.dialog().press('Exportar dados')
  expect(page.server.asked(companyExports.make)).toHaveLength(1)
  await page.dialog().fill('Motivo', 'Fechamos')
  await page.dialog().press('Encerrar assinatura')
  await page.sees('A assinatura termina em 30/11/2026. Motivo: Fechamos')
  expect(page.maybe('button', 'Encerrar assinatura')).toBeNull()
  await page.press('Continuar a assinatura')
  await page.sees('A assinatura continua')
  expect(page.server.asked(billing.end).map(({ body }) => body)).toEqual([{ reason: 'Fechamos' }])
  page.server.complaints.length = 0
})

test('a master bills again who did not pay; a first day of billing shows what it makes, and many are confirmed', async () => {
  const page = enter('/companiesManager/2', operator, {
    answers: server =>
      answering(own())(server)
        .on(billing.show, subscription({ unpaidSince: '2026-11-01', nextInvoice: null }))
        .on(billing.takeUp, subscription())
        .on(billing.start, {
          ...{ count: 3, value: 29_970, valueBrl: 'R$ 299,70', from: '2026-09-01', until: '2026-11-30' },
        })
        .on(billing.change, subscription({ billedFrom: '2026-09-01' })),
  })
  await page.sees('O faturamento parou em 01/11/2026')
  await page.press('Voltar a faturar')
  await page.sees('A empresa volta a ser faturada')
  await page.press('Início do faturamento')
  await page.dialog().fill('Primeiro dia faturado', '2026-09-01')
  await page.dialog().sees('Este dia cria 3 faturas agora: R$ 299,70')
  await page.dialog().fill('Digite o número de faturas para confirmar', '3')
  await page.dialog().press('Salvar')
  await page.sees('O dia foi salvo')
  expect(page.server.asked(billing.change).map(({ body }) => body)).toEqual([
    { billedFrom: '2026-09-01', invoices: 3 },
  ])
  page.server.complaints.length = 0
})
