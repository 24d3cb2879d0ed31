import { scheduledActions } from '@balcao/contract/scheduledActions.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/scheduleAction'
const cards = (page: Page) => page.getByRole('region', { name: 'Ações', exact: true }).getByRole('listitem')
const dialogOf = (page: Page) => page.getByRole('dialog')

test('an admin adds actions, sees them done or fail, reads their data and deletes them (SACT-001 … SACT-016)', async ({
  people,
}) => {
  const helena = await people.admin({ at: '/schedules' })
  await helena.getByRole('button', { name: 'Ações agendadas' }).click()
  await expect(helena).toHaveURL(PATH)
  const data = helena.getByLabel('Dados (JSON)')
  const delay = helena.getByLabel('Atraso (ms)')
  const add = helena.getByRole('button', { name: 'Adicionar' })
  await expect(helena.getByLabel('Ação', { exact: true }).getByRole('option')).toHaveText([
    'Enviar os agendamentos que venceram',
    'Começar as campanhas cuja hora chegou',
    'Fechar os atendimentos parados',
    'Enviar os avisos de faturas',
    'Testar',
  ])
  await helena.getByLabel('Ação', { exact: true }).selectOption('testAction')
  await data.fill('{ pedido: 7')
  await add.click()
  await expect(helena.getByText(/^Não é um objeto JSON/)).toBeVisible()
  await data.fill('{"pedido": 7}')
  await delay.fill('3600000')
  await delay.press('ArrowUp')
  await expect(delay).toHaveValue('3600500')
  await expectAccessible(helena)
  await add.click()
  const waiting = cards(helena).filter({ hasText: 'Esperando' })
  await expect(waiting).toContainText('0 de 3')
  await expect(waiting).toContainText('3.600.500 ms')
  await expect(waiting).toContainText('exponencial, 5.000 ms')
  await expect(waiting).toContainText('N/A')
  await expect(waiting).toHaveAttribute('data-tone', 'warning')

  await delay.fill('')
  await add.click()
  const done = cards(helena).filter({ hasText: 'Concluída em' }).first()
  await expect(done).toHaveAttribute('data-tone', 'success')
  await expect(done).toContainText('1 de 3')
  await data.fill('{"fail": "sem tinta"}')
  await add.click()
  const failed = cards(helena).first()
  await expect(failed).toHaveAttribute('data-tone', 'error')
  await expect(failed).toContainText('sem tinta')
  await failed.getByRole('button', { name: 'Ver dados de Testar' }).click()
  await expect(dialogOf(helena)).toContainText('"fail": "sem tinta"')
  await dialogOf(helena).getByRole('button', { name: 'Fechar' }).last().click()
  await expectAccessible(helena)

  await failed.getByRole('button', { name: 'Excluir Testar' }).click()
  await expect(helena.getByText('Ação agendada excluída com sucesso')).toBeVisible()
  await expect(cards(helena)).toHaveCount(2)
  await helena.getByRole('button', { name: 'Excluir todas' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Excluir todas' }).click()
  await expect(helena.getByText('Todas as ações agendadas foram excluídas com sucesso')).toBeVisible()
  await expect(helena.getByText('Nenhuma ação agendada')).toBeVisible()
})

test('another company sees none of it, an attendant has no way in; what cannot be read or deleted is said (SACT-012 … SACT-014, SACT-018)', async ({
  people,
  world,
}) => {
  const { call } = await callsOf(world.url)
  await call(scheduledActions.create, { body: { action: 'testAction', delay: 3_600_000 } })
  const stranger = await people.stranger({ at: PATH })
  await expect(stranger.getByText('Nenhuma ação agendada')).toBeVisible()
  const marina = await people.attendant({ at: PATH })
  await expect(marina).toHaveURL('/tickets')
  await marina.goto('/schedules')
  await expect(marina.getByRole('main').getByRole('button', { name: 'MENU' })).toBeVisible()
  await expect(marina.getByRole('button', { name: 'Ações agendadas' })).toHaveCount(0)

  const helena = await people.admin({ viewport: { width: 390, height: 844 } })
  await inTheDark(helena)
  await helena.goto(PATH)
  await expect(cards(helena)).toHaveCount(1)
  expect(await helena.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(helena)
  await helena.route('**/scheduleActions*/**', route => route.abort())
  await helena.route('**/scheduleActionsAll', route => route.abort())
  await cards(helena).getByRole('button', { name: 'Excluir Testar' }).click()
  await expect(helena.getByText('Erro ao excluir ação agendada')).toBeVisible()
  await helena.getByRole('button', { name: 'Excluir todas' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Excluir todas' }).click()
  await expect(helena.getByText('Erro ao excluir todas as ações agendadas')).toBeVisible()
  await helena.route('**/scheduleActions', route => route.fulfill({ status: 500, body: '{}' }))
  await expect(helena.getByText('Erro ao buscar ações agendadas')).toBeVisible()
})
