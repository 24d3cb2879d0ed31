import { Collector, collectors } from '@balcao/contract/collectors.ts'
import { Branding, companies, OwnCompany } from '@balcao/contract/companies.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const asaas = sample(Collector, {
  ...{ name: 'asaas', isChosen: true, isSetUp: true, isOfServer: true, tokenEnd: '0001' },
  ...{ webhookPath: '/payments/asaas', billingTypes: ['PIX', 'BOLETO', 'CREDIT_CARD'] },
})
const unset = sample(Collector, {
  ...{ name: 'mercadopago', isChosen: false, isSetUp: false, isOfServer: false, tokenEnd: '' },
  ...{ webhookPath: '/payments/mercadopago', billingTypes: ['PIX', 'BOLETO'] },
})

test('the operator enters the account of a provider, tries it, and chooses who collects', async () => {
  let mercadopago = unset
  const sent: unknown[] = []
  const page = enter('/settings?section=payments', operator, {
    answers: server =>
      server
        .on(companies.show, sample(OwnCompany, { ...operator.company, timeZone: null }))
        .on(companies.settings, [])
        .on(
          companies.branding,
          sample(Branding, { backendUrl: 'https://balcao.test', timeZone: 'America/Sao_Paulo' }),
        )
        .on(collectors.list, () => ({ collectors: [asaas, mercadopago] }))
        .on(collectors.save, ({ params, body }) => {
          sent.push(params, body)
          mercadopago = { ...unset, isSetUp: true, tokenEnd: '0042' }
          return { collectors: [asaas, mercadopago] }
        })
        .on(collectors.test, { problem: 'Mercado Pago: invalid access token (401)' })
        .on(collectors.choose, ({ body }) => {
          sent.push(body)
          return {
            collectors: [
              { ...asaas, isChosen: false },
              { ...mercadopago, isChosen: true },
            ],
          }
        }),
  })
  const account = () => page.part('form', 'Conta no Mercado Pago')
  await page.sees(
    'Cobrança das faturas',
    'Definido nas variáveis do servidor: ••••0001',
    'Cobra por PIX, boleto.',
  )
  expect(await page.field('Quem cobra')).toHaveValue('asaas')
  await account().fill('Token de acesso', 'APP_USR-0042')
  await account().fill('Segredo do webhook', 'segredo')
  expect(await account().field('Endereço do webhook')).toHaveValue('https://balcao.test/payments/mercadopago')
  await account().press('Salvar credenciais')
  await page.sees('Salvo: ••••0042')
  expect(await account().field('Token de acesso')).toHaveValue('')
  await account().press('Testar conexão')
  await page.sees('Mercado Pago: invalid access token (401)')
  await page.user.selectOptions(await page.field('Quem cobra'), 'Mercado Pago')
  await expect.poll(async () => (await page.field('Quem cobra')).value).toBe('mercadopago')
  expect(sent).toEqual([
    { name: 'mercadopago' },
    { token: 'APP_USR-0042', webhookSecret: 'segredo' },
    { name: 'mercadopago' },
  ])
  page.server.complaints.length = 0
})

test('an admin of a company sees nothing of it', async () => {
  const page = enter('/settings?section=payments', helena, {
    answers: server =>
      server
        .on(companies.show, sample(OwnCompany, { ...helena.company, timeZone: null }))
        .on(companies.settings, []),
  })
  await page.find('link', 'Armazenamento')
  await page.lacks('Cobrança das faturas')
  page.server.complaints.length = 0
})
