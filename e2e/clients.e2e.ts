import type { Page } from '@playwright/test'
import { expectAccessible, PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const saas = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Administração SaaS', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('an operator makes a plan and a company on it, whose admin meets the limit, is switched off and out, and deleted (COMPANY-001 … PLAN-021)', async ({
  people,
}) => {
  const stamp = Date.now().toString().slice(-6)
  const [plan, company, email] = [`Plano ${stamp}`, `Loja ${stamp}`, `dona${stamp}@loja.test`]
  const operator = await people.master()
  await saas(operator, 'Planos')
  await operator.getByRole('button', { name: 'Adicionar plano' }).click()
  const dialog = dialogOf(operator)
  await expect(dialog.getByLabel('Nome')).toBeFocused()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Nome é obrigatório')).toBeVisible()
  await dialog.getByLabel('Nome').fill(plan)
  await dialog.getByLabel('1 mês').first().fill('1234,5')
  await dialog.getByLabel('3 meses').first().fill('1111,05')
  await expect(dialog.getByText('Total R$ 3.333,15, 10% de desconto')).toBeVisible()
  await expectAccessible(operator)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Plano salvo com sucesso')).toBeVisible()
  await expect(rowOf(operator, plan)).toContainText('R$ 1.234,50')

  await saas(operator, 'Empresas')
  await operator.getByRole('link', { name: 'Adicionar empresa' }).click()
  await expect(operator).toHaveURL('/CreateNewCompany')
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('E-mail é obrigatório')).toBeVisible()
  await field(operator, 'Nome').fill(company)
  await field(operator, 'E-mail').fill(email)
  await operator.getByLabel('Nome do usuário').fill('Dona')
  await field(operator, 'Senha inicial').fill(PASSWORD)
  await expectAccessible(operator)
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator).toHaveURL(/\/companiesManager\/\d+$/)
  await operator.getByRole('button', { name: 'Adicionar plano' }).click()
  await operator.getByRole('button', { name: `Usar este plano: ${plan}` }).click()
  await expect(operator.getByRole('button', { name: 'Editar plano' })).toBeVisible()
  await expect(operator.getByRole('button', { name: 'Adicionar plano' })).toHaveCount(0)
  await expectAccessible(operator)

  const dona = await people.loggedIn(email, { at: '/users/new' })
  await expect(dona.getByRole('dialog')).toBeVisible()
  await dona.goto('/clientCompanyManager')
  await expect(field(dona, 'E-mail')).toHaveValue(email)
  await expect(dona.getByLabel('Atendentes')).toHaveCount(0)
  await dona.getByRole('button', { name: 'Editar plano' }).click()
  await expect(dona.getByRole('dialog').getByLabel('Nome')).toBeDisabled()
  await expect(dona.getByRole('dialog').getByLabel('Recorrência')).toBeEnabled()

  await operator.getByRole('switch', { name: 'Ativa' }).click()
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(dona.getByRole('heading', { name: 'Sua sessão terminou' })).toBeVisible({ timeout: 5_000 })
  await operator.getByRole('button', { name: 'Empresas', exact: true }).click()
  await expect(rowOf(operator, company)).toContainText('1 de 1')
  await expect(rowOf(operator, company)).toContainText('Inativa')

  await rowOf(operator, company)
    .getByRole('button', { name: `Excluir ${company}` })
    .click()
  const question = dialogOf(operator)
  await expect(question.getByRole('button', { name: 'Excluir' })).toBeDisabled()
  await question.getByRole('textbox').fill(company)
  await question.getByRole('button', { name: 'Excluir' }).click()
  await expect(rowOf(operator, company)).toHaveCount(0)
})

test('forms of companies say what is missing; a look-up that fails keeps nobody from writing; who is on is the operator’s to say (COMPANY-009 … COMPANY-018)', async ({
  people,
}) => {
  const operator = await people.master({ at: '/CreateNewCompany' })
  const save = (page: Page) => page.getByRole('button', { name: 'Salvar' }).click()
  await field(operator, 'Nome').fill('A')
  await field(operator, 'E-mail').fill('dona@')
  await save(operator)
  for (const said of ['Too Short!', 'Email é inválido'])
    await expect(operator.getByText(said, { exact: true }).first()).toBeVisible()
  await field(operator, 'Nome').fill('')
  await field(operator, 'E-mail').fill('')
  await save(operator)
  for (const said of ['Nome é obrigatório', 'E-mail é obrigatório'])
    await expect(operator.getByText(said, { exact: true })).toBeVisible()
  // no register is named here: nothing is filled in, and nothing is said
  await field(operator, 'CPF ou CNPJ').fill('11222333000181')
  await field(operator, 'Nome').focus()
  await expect(field(operator, 'CPF ou CNPJ')).toHaveValue('11.222.333/0001-81')
  await field(operator, 'CPF ou CNPJ').fill('52998224725')
  await expect(field(operator, 'CPF ou CNPJ')).toHaveValue('529.982.247-25')

  const place = { street: 'Avenida Paulista', district: 'Bela Vista', city: 'São Paulo' }
  let answer = { status: 502, json: { error: 'ERR_POSTAL_CODE_SEARCH' } as object }
  await operator.route('**/helper/cep/*', route => route.fulfill(answer))
  await field(operator, 'CEP').fill('01310-100')
  await field(operator, 'CEP').press('Tab')
  await field(operator, 'Rua').fill('Minha rua')
  answer = { status: 200, json: { ...place, state: 'SP', country: 'Brasil' } }
  await field(operator, 'CEP').focus()
  await field(operator, 'CEP').press('Tab')
  for (const [name, value] of [
    ['Rua', 'Avenida Paulista'],
    ['Bairro', 'Bela Vista'],
    ['Cidade', 'São Paulo'],
    ['Estado', 'SP'],
    ['País', 'Brasil'],
  ] as const)
    await expect(field(operator, name)).toHaveValue(value)

  await operator.goto('/companiesManager/2')
  const on = operator.getByRole('switch', { name: 'Ativa', exact: true })
  await expect(on).toBeChecked()
  const helena = await people.admin({ at: '/clientCompanyManager' })
  await expect(field(helena, 'E-mail')).toHaveValue('admin@balcao.test')
  await expect(helena.getByRole('switch', { name: 'Ativa', exact: true })).toHaveCount(0)
})
