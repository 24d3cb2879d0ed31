import { Branding, companies } from '@balcao/contract/companies.ts'
import { Lead, leads, OpenLead } from '@balcao/contract/leads.ts'
import { Plan, plans } from '@balcao/contract/plans.ts'
import { Terms } from '@balcao/contract/terms.ts'
import { expect, test } from 'vitest'
import { visit } from '../../../testing/page.tsx'
import { sample, samples } from '../../../testing/samples.ts'
import { breakOff, type Server } from '../../../testing/server.ts'

const offered = samples(Plan, [
  { id: 1, name: 'Essencial' },
  { id: 2, name: 'Profissional' },
])
const lead = sample(Lead, {
  id: 'abc',
  name: 'Rui Sá',
  email: 'rui@loja.test',
  whatsAppNumber: '5511988887777',
})
const store = (server: Server) =>
  server
    .on(companies.branding, sample(Branding, { platformName: 'Balcão' }))
    .on(plans.public, { plans: offered })
    .on(leads.create, lead)
    .on(leads.show, sample(OpenLead, { ...lead, plan: offered[0]!, asksPassword: true, terms: null }))
    .on(leads.complete, { email: 'rui@loja.test', trialEndsAt: '2030-01-01T00:00:00.000Z', token: 'of Rui' })

test('without a mail server the sign-up asks for the password, and is logged in (OP-122) [LEAD-008]', async () => {
  const page = visit('/subscription/abc', { answers: store })
  await page.fill('CPF ou CNPJ', '529.982.247-25')
  await page.fill('Nome da empresa', 'Loja do Rui')
  await page.press('Concluir cadastro')
  await page.sees('Obrigatório')
  await page.fill('Crie uma senha', 'minha-senha')
  await page.press('Concluir cadastro')
  await page.sees('Cadastro concluído com êxito: você já entrou, com rui@loja.test')
  expect(page.server.asked(leads.complete)[0]?.body).toMatchObject({
    ...{ leadId: 'abc', password: 'minha-senha', logIn: true },
  })
  expect(localStorage.getItem('token')).toBe('of Rui')
})

test('a sign-up accepts the terms of the operator in their version, which it shows', async () => {
  const terms = sample(Terms, { version: '2026-1', url: 'https://balcao.test/termos', text: 'Seja gentil.' })
  const page = visit('/subscription/abc', {
    answers: server =>
      store(server).on(
        leads.show,
        sample(OpenLead, { ...lead, plan: offered[0]!, asksPassword: false, terms }),
      ),
  })
  await page.fill('CPF ou CNPJ', '529.982.247-25')
  await page.fill('Nome da empresa', 'Loja do Rui')
  await page.press('Concluir cadastro')
  await page.sees('Obrigatório')
  expect(page.server.asked(leads.complete)).toEqual([])
  await page.press('Li e aceito os termos de uso (versão 2026-1)')
  await page.press('Concluir cadastro')
  await page.sees(/Cadastro concluído com/)
  expect(page.server.asked(leads.complete)[0]?.body).toMatchObject({ termsVersion: '2026-1' })
})

test('a contact is taken out of a sign-up, and the others stay as they were written', async () => {
  const page = visit('/subscription/abc', { answers: store })
  await page.press('Adicionar contato')
  const second = page.part('group', 'Contato 2')
  await second.fill('Nome', 'Rita')
  await second.fill('E-mail (opcional)', 'rita@')
  await second.press('Nome')
  await second.sees('Email Invalido')
  await page.press('Remover o contato 1')
  await expect.poll(() => page.part('group', 'Contato 1').element.querySelector('input')?.value).toBe('Rita')
  expect(page.maybe('group', 'Contato 2')).toBeNull()
})

test('while the server does not answer the store asks again, and shows its plans when it does; one that is not offered leads to those that are [LEAD-001 … LEAD-007]', async () => {
  let asked = 0
  const page = visit('/store/999', {
    answers: server =>
      store(server).on(plans.public, () => (asked++ === 0 ? breakOff() : { plans: offered })),
  })
  await page.sees('Este plano não é mais oferecido. Veja os planos de agora.')
  expect(asked).toBe(2)
  for (const [language, title] of [
    ['English', 'We are almost there! Complete your sign-up'],
    ['Español', '¡Ya casi estamos! Complete su registro'],
    ['Português', 'Estamos quase lá! Conclua seu cadastro'],
  ] as const) {
    await page.user.selectOptions(await page.find('combobox'), language)
    await page.find('heading', title)
  }
})

const priced = (id: number, name: string, given: object = {}) =>
  sample(Plan, {
    ...{ id, name, automaticInvoice: true, value1Month: 9_900, value1MonthBrl: 'R$ 99,00' },
    ...{ value1MonthTotalBrl: 'R$ 99,00', value6Months: 8_900, value6MonthsBrl: 'R$ 89,00' },
    ...{ value6MonthsTotalBrl: 'R$ 534,00', ...given },
  })

test('the store offers the periods that have a price, with the first invoice of the chosen one', async () => {
  const page = visit('/store', {
    answers: server =>
      store(server).on(plans.public, { plans: [priced(1, 'Essencial'), priced(2, 'Livre', FREE)] }),
  })
  await page.find('radio', /1 mês/)
  expect(page.all('radio').filter(one => one.getAttribute('name') === 'recurrence')).toHaveLength(2)
  await page.sees(/Primeira fatura: R\$ 99,00 em/)
  await page.press(/6 meses/)
  await page.sees('R$ 89,00 por mês', /Primeira fatura: R\$ 534,00 em/)
  await page.press(/Livre/)
  await page.sees('Gratuito')
  await page.lacks('Período de pagamento')
})

const FREE = { value1Month: 0, value6Months: 0 }

const whosePlanIsGone = (recurrence: Plan['recurrence'], offers: Plan[]) =>
  visit('/subscription/abc', {
    answers: server =>
      store(server)
        .on(
          leads.show,
          sample(OpenLead, { ...lead, planId: null, plan: null, recurrence, asksPassword: false }),
        )
        .on(plans.public, { plans: offers }),
  })

test('a lead whose plan is gone chooses another, with a period that has a price', async () => {
  const page = whosePlanIsGone('months3', [priced(7, 'Essencial'), priced(8, 'Profissional')])
  await page.sees('O plano que você escolheu não existe mais. Escolha outro.')
  await page.press(/Profissional/)
  await page.fill('CPF ou CNPJ', '529.982.247-25')
  await page.fill('Nome da empresa', 'Loja do Rui')
  await page.press('Concluir cadastro')
  await expect
    .poll(() => page.server.asked(leads.complete)[0]?.body)
    .toMatchObject({
      ...{ planId: 8, recurrence: 'month1' },
    })
})

test.each([
  { recurrence: 'months6', preselected: 'Profissional' },
  { recurrence: 'months12', preselected: 'Anual' },
  { recurrence: 'months3', preselected: 'Profissional' },
] as const)(
  'the highlighted plan is chosen at first where it is sold by the period of the lead: $preselected by $recurrence',
  async ({ recurrence, preselected }) => {
    const page = whosePlanIsGone(recurrence, [
      priced(7, 'Essencial'),
      priced(8, 'Profissional', { highlighted: 1 }),
      priced(9, 'Anual', { value12Months: 7_900 }),
    ])
    const chosen = await page.find('radio', new RegExp(preselected))
    expect((chosen as HTMLInputElement).checked).toBe(true)
  },
)
