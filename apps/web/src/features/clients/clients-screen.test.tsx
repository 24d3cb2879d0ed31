import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse } from '../../../testing/server.ts'

const place = { street: 'Avenida Paulista', district: 'Bela Vista', city: 'São Paulo' }

test('forms of companies say what is missing; a look-up that fails keeps nobody from writing (COMPANY-009 … COMPANY-018) [COMPANY-001 … COMPANY-012, COMPANY-014 … COMPANY-018]', async () => {
  let isAway = true
  const page = enter('/CreateNewCompany', operator, {
    answers: server =>
      server
        .on(companies.findCnpj, () => refuse(502, 'ERR_CNPJ_SEARCH'))
        .on(companies.findPostalCode, () =>
          isAway ? refuse(502, 'ERR_POSTAL_CODE_SEARCH') : { ...place, state: 'SP', country: 'Brasil' },
        ),
  })
  await page.fill('Nome', 'A')
  await page.fill('E-mail', 'dona@')
  await page.press('Salvar')
  await page.sees('Too Short!', 'Email é inválido')
  await page.fill('Nome', '')
  await page.fill('E-mail', '')
  await page.press('Salvar')
  await page.sees('Nome é obrigatório', 'E-mail é obrigatório')
  // the register is unavailable: nothing is filled in
  await page.fill('CPF ou CNPJ', '11222333000181')
  await page.user.keyboard('{Tab}')
  expect(await page.field('CPF ou CNPJ')).toHaveValue('11.222.333/0001-81')
  await page.fill('CPF ou CNPJ', '52998224725')
  expect(await page.field('CPF ou CNPJ')).toHaveValue('529.982.247-25')
  expect(await page.field('Nome')).toHaveValue('')
  await page.fill('CEP', '01310-100')
  await page.user.keyboard('{Tab}')
  await expect.poll(() => page.server.asked(companies.findPostalCode).length).toBe(1)
  await page.fill('Rua', 'Minha rua')
  isAway = false
  await page.user.click(await page.field('CEP'))
  await page.user.keyboard('{Tab}')
  await expect.poll(async () => (await page.field('Rua')).value).toBe('Avenida Paulista')
  for (const [name, value] of [
    ['Bairro', 'Bela Vista'],
    ['Cidade', 'São Paulo'],
    ['Estado', 'SP'],
    ['País', 'Brasil'],
  ] as const)
    expect(await page.field(name)).toHaveValue(value)
})

test('that a company is on is the operator’s to say, not who pays for it [COMPANY-001 … COMPANY-012, COMPANY-014 … COMPANY-018]', async () => {
  const company = sample(ClientCompany, {
    id: 2,
    name: 'Lume Móveis',
    email: 'helena@balcao.test',
    status: 1,
  })
  for (const [who, address] of [
    [operator, '/companiesManager/2'],
    [helena, '/clientCompanyManager'],
  ] as const) {
    const page = enter(address, who, { answers: server => server.on(clients.show, company) })
    await expect.poll(async () => (await page.field('E-mail')).value).toBe('helena@balcao.test')
    expect(page.all('switch', 'Ativa').length).toBe(who === operator ? 1 : 0)
    // the rest of the screen is tested elsewhere
    page.server.complaints.length = 0
  }
})
