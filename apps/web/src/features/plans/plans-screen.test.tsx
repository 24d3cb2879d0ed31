import { Plan, plans } from '@balcao/contract/plans.ts'
import { Coupon, pricing } from '@balcao/contract/pricing.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { operator } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'

test('a plan bills by itself unless the operator switches that off; one without a price is offered only when that is confirmed', async () => {
  const listed = samples(Plan, [
    { id: 1, name: 'Padrão', isStandard: true, status: false, automaticInvoice: true },
    { id: 2, name: 'Manual', status: true, value1Month: 9_900, automaticInvoice: false },
  ])
  const page = enter('/plans', operator, {
    answers: server =>
      server
        .on(plans.list, { plans: listed, hasMore: false })
        .on(pricing.coupons, [])
        .on(plans.create, sample(Plan, { id: 3, name: 'Livre' })),
  })
  await page.sees('Plano das empresas novas · Não oferecido', 'Não fatura sozinho')
  await page.press('Adicionar plano')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Livre')
  expect(await dialog.find('switch', 'Fatura automática')).toBeChecked()
  await dialog.press('Salvar')
  await dialog.sees('Dê um preço, não ofereça o plano, ou confirme')
  expect(page.server.asked(plans.create)).toEqual([])
  await dialog.press('Oferecer de graça')
  await dialog.press('Salvar')
  await page.closed()
  expect(page.server.asked(plans.create)[0]?.body).toMatchObject({
    ...{ name: 'Livre', status: true, automaticInvoice: true, restsAfterTrial: false },
  })
  expect(page.server.asked(plans.create)[0]?.body).not.toHaveProperty('isFree')
})

test('a plan with a price, and one that is not offered, ask nothing', async () => {
  const page = enter('/plans', operator, {
    answers: server =>
      server
        .on(pricing.coupons, [])
        .on(plans.list, { plans: [], hasMore: false })
        .on(plans.create, sample(Plan, { id: 3 })),
  })
  await page.press('Adicionar plano')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Interno')
  await dialog.sees('Oferecer de graça')
  await dialog.press('Oferecido')
  await dialog.lacks('Oferecer de graça')
  await dialog.press('Salvar')
  await page.closed()
  expect(page.server.asked(plans.create)[0]?.body).toMatchObject({ name: 'Interno', status: false })
})

test('coupons of the store are listed with their uses, added and closed', async () => {
  const given = { percent: 10, value: null, valueBrl: '', periods: 3, endsOn: '2026-12-31' }
  const [open, over] = samples(Coupon, [
    { id: 1, code: 'NATAL', uses: 2, mostUses: 50, isOpen: true, ...given },
    { id: 2, code: 'VELHO', uses: 1, mostUses: 1, isOpen: false, ...given },
  ])
  const page = enter('/plans', operator, {
    answers: server =>
      server
        .on(plans.list, { plans: [], hasMore: false })
        .on(pricing.coupons, [open!, over!])
        .on(pricing.addCoupon, open!)
        .on(pricing.closeCoupon, over!),
  })
  await page.sees('NATAL', '2 de 50', '10 %', '31/12/2026', 'fechado')
  await page.press('Criar cupom')
  const dialog = page.dialog()
  await dialog.fill('Código', 'verao-26')
  await dialog.press('Criar cupom')
  await dialog.sees('Percentual ou valor')
  await dialog.fill('Percentual', '15')
  await dialog.press('Criar cupom')
  await page.closed()
  expect(page.server.asked(pricing.addCoupon)[0]?.body).toMatchObject({
    ...{ code: 'verao-26', percent: 15, valueBrl: null, periods: 1, mostUses: null, endsOn: null },
  })
  await page.press('Fechar o cupom NATAL')
  await expect.poll(() => page.server.asked(pricing.closeCoupon)).toHaveLength(1)
})
