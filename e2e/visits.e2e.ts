import { newNumber } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

test('the operator looks into a company by a visit, changes nothing, and its admin reads who, why and at what [GEN-005]', async ({
  people,
  phone,
  shop,
}) => {
  const reason = `Chamado ${Date.now().toString().slice(-6)}`
  await phone.write(newNumber(), 'Bom dia!', 'Quem espera')
  const operator = await people.master({ at: '/companies' })
  await operator.getByRole('searchbox').fill(shop.name)
  const row = operator.getByRole('row').filter({ hasText: shop.name })
  await row.getByRole('button', { name: /Editar/ }).click()
  await expect(operator.getByText(/em \d+ arquivos?/)).toBeVisible()
  await operator.getByRole('button', { name: 'Visitar', exact: true }).click()
  const dialog = operator.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Visitar' }).click()
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('Motivo').fill(reason)
  await dialog.getByRole('button', { name: 'Visitar' }).click()

  const banner = operator.getByText(new RegExp(`Visita a ${shop.name} até \\d\\d:\\d\\d: só leitura`))
  await expect(banner).toBeVisible()
  await expect(operator.getByRole('button', { name: 'Administração SaaS' })).toHaveCount(0)
  await expectAccessible(operator)
  await operator.reload()
  await expect(banner).toBeVisible()
  await operator.getByRole('tab', { name: /Aguardando/ }).click()
  await operator.locator('[data-ticket]').first().click()
  await expect(operator).toHaveURL(/\/tickets\/\d+/)
  await expect(operator.getByText('Numa visita só se lê: ninguém responde daqui.')).toBeVisible()
  await operator.goto('/quickAnswers/new')
  await operator.getByLabel('Atalho').fill('visita')
  await operator.getByLabel('Mensagem').fill('Não pode ser salva')
  await operator.getByRole('button', { name: 'Salvar' }).click()
  await expect(operator.getByText('Numa visita só se lê, e isto não está aberto a visitas')).toBeVisible()

  const admin = await people.admin()
  await inTheDark(admin)
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/settings?section=visits')
  const told = admin.getByRole('row').filter({ hasText: reason })
  await expect(told).toContainText('em andamento')
  await expect(told).toContainText(/Conversa do atendimento \d+/)

  await operator.goto('/tickets')
  await operator.getByRole('button', { name: 'Encerrar visita' }).click()
  await expect(operator).toHaveURL(/\/companiesManager\/\d+$/)
  await expect(operator.getByRole('button', { name: 'Administração SaaS' })).toBeVisible()
  await expect(told).not.toContainText('em andamento')
})
