import type { Page } from '@playwright/test'
import { PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const saas = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Administração SaaS', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('an operator makes a plan and a company on it, whose admin meets the limit, is switched off and out, and deleted (COMPANY-001 … PLAN-021) [GEN-005, GEN-023, GEN-024, GEN-025, ROUTE-015 … ROUTE-017, ROUTE-040, ROUTE-044, MENU-011, MENU-013, COMPANY-001 … COMPANY-012, COMPANY-014 … COMPANY-018, PLAN-001 … PLAN-021]', async ({
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
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator).toHaveURL(/\/companiesManager\/\d+$/)
  await operator.getByRole('button', { name: 'Adicionar plano' }).click()
  await operator.getByRole('button', { name: `Usar este plano: ${plan}` }).click()
  await expect(operator.getByRole('button', { name: 'Editar plano' })).toBeVisible()
  await expect(operator.getByRole('button', { name: 'Adicionar plano' })).toHaveCount(0)

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
  // within how many seconds is proven by clients.off.test.ts; here the time would include the browser's own
  await expect(dona.getByRole('heading', { name: 'Sua sessão terminou' })).toBeVisible()
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
