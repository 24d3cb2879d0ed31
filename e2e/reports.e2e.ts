import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('an admin reads how customers were attended, is led to the tickets behind a figure, and asks for two reports (DASH-003 … REPORT-008) [GEN-023, ROUTE-010, ROUTE-029, MENU-005, MENU-008, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async ({
  people,
}) => {
  const admin = await people.loggedIn('admin@balcao.test', { at: '/dash' })
  const general = admin.getByRole('table', { name: 'Status geral' })
  await expect(general.getByRole('row').filter({ hasText: 'Aguardando agora' })).toContainText(/\d/)
  await expect(admin.getByText('TMA: tempo médio de atendimento, do aceite à finalização')).toBeVisible()
  await expect(admin.getByRole('table', { name: 'Por usuário', exact: true })).toBeVisible()
  await expect(admin.getByRole('table', { name: 'Por fila', exact: true })).toBeVisible()
  await expectAccessible(admin)

  await general.getByRole('row').filter({ hasText: 'Em atendimento agora' }).getByRole('link').click()
  await expect(admin).toHaveURL(/\/tickets/)

  await admin.goto('/reports')
  await admin.getByRole('button', { name: 'Indicadores' }).click()
  const asked = admin.getByRole('dialog', { name: 'Indicadores' })
  await asked.getByRole('button', { name: 'Gerar' }).click()
  await expect(admin.getByRole('table', { name: 'Por fila', exact: true })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Imprimir' })).toBeVisible()
  await admin.getByRole('button', { name: 'Voltar' }).click()
  await admin.getByRole('button', { name: 'Relatório de atendimentos' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Gerar' }).click()
  await expect(admin.getByRole('columnheader', { name: 'Protocolo' })).toBeVisible()
})
