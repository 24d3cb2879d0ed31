import { Plan, plans } from '@balcao/contract/plans.ts'
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
      server.on(plans.list, { plans: [], hasMore: false }).on(plans.create, sample(Plan, { id: 3 })),
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
