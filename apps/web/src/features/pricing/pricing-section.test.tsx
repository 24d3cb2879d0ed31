import { billing, Subscription } from '@balcao/contract/billing.ts'
import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { CompanyLimits, companyLimits } from '@balcao/contract/companyLimits.ts'
import { Invoice } from '@balcao/contract/invoices.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { Discount, type Pricing, pricing, Readjustment } from '@balcao/contract/pricing.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const plan = sample(Plan, { id: 4, companyId: 2, name: 'Padrão' })
const terms: Pricing = {
  companyId: 2,
  discounts: [
    sample(Discount, {
      ...{ id: 7, percent: 10, value: null, valueBrl: '', periods: 6, used: 2, isOpen: true },
      ...{ reason: 'Fidelidade', couponCode: '', recordedBy: 'Operador' },
    }),
  ],
  readjustments: [
    sample(Readjustment, { id: 1, rate: 525, from: '2027-01-10', reason: 'IPCA', isApplied: false }),
  ],
}

const answering = (server: Server): Server =>
  server
    .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis', plan: [plan] }))
    .on(plans.ofCompany, [plan])
    .on(plans.public, { plans: [] })
    .on(billing.show, sample(Subscription, { companyId: 2 }))
    .on(companyLimits.show, sample(CompanyLimits, { companyId: 2, chooseBy: null }))
    .on(pricing.show, terms)

test('who pays sees discounts and readjustments, and changes none', async () => {
  const page = enter('/clientCompanyManager', helena, { answers: answering })
  await page.sees(
    '10 % de desconto: 2 de 6 períodos',
    'Fidelidade',
    'Reajuste de 5,25 % a partir de 10/01/2027',
  )
  for (const name of ['Cobrança avulsa', 'Dar desconto', 'Reajustar preço', 'Desfazer reajuste'])
    expect(page.maybe('button', name)).toBeNull()
  page.server.complaints.length = 0
})

test('a master charges apart from periods, gives a discount and withdraws a readjustment', async () => {
  const page = enter('/companiesManager/2', operator, {
    answers: server =>
      answering(server)
        .on(pricing.charge, sample(Invoice, { id: 9 }))
        .on(pricing.discount, terms)
        .on(pricing.withdraw, { ...terms, readjustments: [] }),
  })
  await page.press('Cobrança avulsa')
  const charge = page.dialog()
  await charge.fill('Descrição', 'Instalação')
  await charge.fill('Valor', '350,00')
  await charge.press('Cobrança avulsa')
  await page.closed()
  expect(page.server.asked(pricing.charge)[0]?.body).toMatchObject({
    description: 'Instalação',
    valueBrl: '350,00',
  })
  await page.press('Dar desconto')
  const discount = page.dialog()
  await discount.fill('Motivo', 'Falha do serviço')
  await discount.press('Dar desconto')
  await discount.sees('Percentual ou valor')
  await discount.fill('ou valor', '20,00')
  await discount.press('Dar desconto')
  await page.closed()
  expect(page.server.asked(pricing.discount)[0]?.body).toEqual({
    ...{ percent: null, valueBrl: '20,00', periods: 1, reason: 'Falha do serviço' },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  await page.press('Desfazer reajuste')
  await page.lacks('Reajuste de 5,25 %')
  page.server.complaints.length = 0
})

test('an admin chooses what goes on, at most what the plan allows', async () => {
  const row = (id: number, name: string, isAdmin = false) => ({
    ...{ id, name, detail: `${id}@lume.test`, isResting: false, isAdmin },
  })
  const limits: CompanyLimits = {
    companyId: 2,
    users: { limit: 2, rows: [row(1, 'Helena', true), row(2, 'Bia'), row(3, 'Caio')] },
    connections: { limit: 1, rows: [row(5, 'Loja')] },
    chooseBy: '2026-12-10',
    choosers: ['Helena'],
  }
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(server)
        .on(companyLimits.show, limits)
        .on(companyLimits.choose, { ...limits, chooseBy: null }),
  })
  await page.sees('Escolha até 10/12/2026 o que continua')
  await page.press('Escolher')
  const dialog = page.dialog()
  await dialog.sees('Usuários (2 de 2)', 'Conexões (1 de 1)')
  await dialog.press('Caio')
  await dialog.sees('mais escolhidos do que o plano permite')
  expect(await dialog.find('button', 'Salvar escolha')).toBeDisabled()
  await dialog.press('Bia')
  await dialog.press('Salvar escolha')
  await page.closed()
  expect(page.server.asked(companyLimits.choose)[0]?.body).toEqual({ userIds: [1, 3], connectionIds: [5] })
  await page.lacks('Escolha até')
  page.server.complaints.length = 0
})
