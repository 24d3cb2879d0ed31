import { Autopay, AutopayCompany, autopay, type ShownAutopay } from '@balcao/contract/autopay.ts'
import { billing, Subscription } from '@balcao/contract/billing.ts'
import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { Invoice, invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { revenue } from '@balcao/contract/revenue.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'
import { queryClient } from '../../platform/query.ts'
import { AUTOPAY } from './autopay.api.ts'

const way = (given: Partial<Autopay>) =>
  sample(Autopay, {
    kind: 'pix',
    state: 'active',
    reason: '',
    problem: '',
    brand: '',
    lastDigits: '',
    next: null,
    ...given,
  })

const answering =
  (shown: ShownAutopay) =>
  (server: Server): Server =>
    server
      .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
      .on(plans.ofCompany, [sample(Plan, { id: 4, companyId: 2, name: 'Padrão' })])
      .on(billing.show, sample(Subscription, { companyId: 2 }))
      .on(autopay.show, shown)

const offered: ShownAutopay['offered'] = ['pix', 'card']

test('who pays chooses PIX Automático, sees the code to authorize it, and cancels it again', async () => {
  let shown: ShownAutopay = { offered, autopay: null }
  const waiting = way({ state: 'waiting', pixCode: '00020126PIX', value: 9_990, valueBrl: 'R$ 99,90' })
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(shown)(server)
        .on(autopay.show, () => shown)
        .on(autopay.choose, () => (shown = { offered, autopay: waiting }))
        .on(autopay.end, () => (shown = { offered, autopay: way({ state: 'ended', reason: 'byCompany' }) })),
  })
  await page.press('Pagar com Pix Automático')
  await page.sees('Aguardando autorização', 'Pague R$ 99,90 com este código')
  expect(page.server.asked(autopay.choose)[0]?.body).toEqual({ kind: 'pix' })
  await page.press('Cancelar pagamento automático')
  const asked = page.server.asked(autopay.show).length
  await page.dialog().press('Cancelar pagamento automático')
  await page.sees('foi encerrado: cancelado pela empresa.', 'Pagar com cartão')
  // what was pushed meanwhile may be newer than the answer
  await expect.poll(() => page.server.asked(autopay.show).length).toBeGreaterThan(asked)
  page.server.complaints.length = 0
})

test('what was asked for before the choice is not shown after it, and meanwhile nothing else can be chosen', async () => {
  const [before, choice] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const nothing: ShownAutopay = { offered, autopay: null }
  const wanted: ShownAutopay = { offered, autopay: way({ state: 'waiting', valueBrl: 'R$ 99,90' }) }
  const page = enter('/clientCompanyManager', helena, {
    answers: server =>
      answering(nothing)(server).on(autopay.choose, async () => {
        await choice.promise
        return wanted
      }),
  })
  await page.sees('Pagar com cartão')
  page.server.on(autopay.show, async () => {
    await before.promise
    return nothing
  })
  const asked = page.server.asked(autopay.show).length
  page.server.push(invoiceChannelOf(4), { action: 'update', invoice: sample(Invoice, { id: 7 }) })
  await expect.poll(() => page.server.asked(autopay.show).length).toBeGreaterThan(asked)
  await page.press('Pagar com Pix Automático')
  await expect.poll(() => page.maybe('button', 'Pagar com cartão')?.hasAttribute('disabled')).toBe(true)
  page.server.on(autopay.show, wanted)
  choice.resolve()
  await page.sees('Aguardando autorização')
  before.resolve()
  await expect.poll(() => queryClient.isFetching({ queryKey: [AUTOPAY] })).toBe(0)
  await page.sees('Aguardando autorização')
  page.server.complaints.length = 0
})

test('a kept card shows its brand, its last digits, its next charge and why the last one failed', async () => {
  const next = { day: '2026-12-10', value: 9_990, valueBrl: 'R$ 99,90' }
  const kept = way({
    kind: 'card',
    brand: 'VISA',
    lastDigits: '4242',
    next,
    problem: 'Transação não autorizada',
  })
  const page = enter('/clientCompanyManager', helena, { answers: answering({ offered, autopay: kept }) })
  await page.sees('VISA final 4242', 'R$ 99,90 em 10/12/2026', 'Transação não autorizada')
  page.server.complaints.length = 0
})

test('why a debit failed is shown in words, not by its code', async () => {
  const failed = way({ problem: 'aboveLimit' })
  const page = enter('/clientCompanyManager', helena, { answers: answering({ offered, autopay: failed }) })
  await page.sees('O valor passa do limite que o pagador definiu no banco')
  page.server.complaints.length = 0
})

test('where the provider has no automatic payment nothing is offered', async () => {
  const page = enter('/clientCompanyManager', helena, { answers: answering({ offered: [], autopay: null }) })
  await page.sees('Trocar de plano')
  expect(page.maybe('button', 'Pagar com cartão')).toBeNull()
  page.server.complaints.length = 0
})

test('the operator sees which companies pay by themselves, and cancels it for one', async () => {
  const page = enter('/revenue/plans', operator, {
    answers: server =>
      server
        .on(revenue.plans, {
          plans: [],
          states: { paying: 0, risk: 0, lapsed: 0, trial: 0, paused: 0, off: 0, unbilled: 0 },
          endingTrials: 0,
        })
        .on(autopay.companies, {
          companies: [
            sample(AutopayCompany, {
              companyId: 2,
              companyName: 'Lume Móveis',
              kind: 'pix',
              state: 'active',
            }),
          ],
          hasMore: false,
        })
        .on(autopay.end, { offered, autopay: null }),
  })
  await page.sees('Pagam automaticamente', 'Lume Móveis')
  await page.press('Cancelar o pagamento automático de Lume Móveis')
  await page.dialog().press('Cancelar pagamento automático')
  await expect.poll(() => page.server.asked(autopay.end)[0]?.params).toMatchObject({ companyId: 2 })
})
