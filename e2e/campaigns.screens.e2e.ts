import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import type { Page } from '@playwright/test'
import { campaignOf, press, rowWith } from './campaigning.ts'
import { newNumber } from './conversation.ts'
import { inTheDark } from './people.ts'
import { picture } from './samples.ts'
import { expect, test } from './world.ts'

const fitsPhone = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

test('a campaign of words and a file is made for a day within a month, found in the list, and changed, also on a phone in the dark (CAMP-003 … CAMP-006, CAMP-021, CAMP-025, CAMP-059) [OP-10, CAMP-003 … CAMP-004, CAMP-005, CAMP-006, CAMP-021, CAMP-025, CAMP-059]', async ({
  people,
  shop,
}) => {
  const stamp = newNumber()
  const { setup } = await campaignOf(shop, `Base ${stamp}`, [newNumber()])
  const { setup: lost } = await campaignOf(shop, `Perdida ${stamp}`, [newNumber()])
  const helena = await people.admin()
  await inTheDark(helena)
  await helena.goto('/Campaigns')
  await press(helena, 'Adicionar campanha')
  const name = `Agosto ${stamp}`
  const file = picture()
  const nameField = helena.getByLabel('Nome', { exact: true })
  await nameField.fill(name)
  await helena.getByLabel('Configuração').selectOption({ label: lost.name })
  await helena.getByRole('textbox', { name: 'Saudação' }).fill('Oi!')
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram novidades')
  await press(helena, 'Adicionar mensagem')
  await helena.locator('input[type=file][accept*=".pdf"]').last().setInputFiles(file)
  await expect(helena.getByText(file.name)).toBeVisible()
  await helena.getByLabel('Números, um por linha').fill(newNumber())
  await press(helena, 'Adicionar números')

  await helena.getByRole('switch', { name: 'Agendar', exact: true }).click()
  await helena.getByRole('button', { name: 'Começa em', exact: true }).click()
  const calendar = helena.getByRole('dialog')
  await expect(calendar.getByRole('button', { name: 'Anterior' })).toBeDisabled()
  await calendar.getByRole('button', { name: 'Próximo' }).click()
  await expect(calendar.getByRole('button', { name: 'Próximo' })).toBeDisabled()
  await helena.keyboard.press('Escape')

  // the setup was deleted before it is saved: the server's error is shown, and the input is kept
  const { call } = shop
  await call(campaignSetups.remove, { params: { setupId: lost.id } })
  await press(helena, 'Salvar')
  await expect(helena.getByText('Esta configuração foi excluída: selecione outra').first()).toBeVisible()
  await expect(nameField).toHaveValue(name)
  await helena.getByLabel('Configuração').selectOption({ label: setup.name })
  await press(helena, 'Salvar')
  await expect(helena.getByRole('heading', { name })).toBeVisible()

  await helena.goto('/Campaigns')
  for (const head of ['Nome', 'Configuração', 'Status', 'Agendamento', 'Iniciada', 'Concluída'])
    await expect(helena.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  const row = rowWith(helena, name)
  await expect(row).toContainText(setup.name)
  await expect(row).toContainText('Agendada')
  await row.getByRole('button', { name: `Editar ${name}` }).click()
  await expect(helena).toHaveURL(/\/CampaignsCreator\/\d+$/)
  await expect(helena.getByText(file.name)).toBeVisible()
  await nameField.fill(`${name} B`)
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram mais novidades')
  await helena.setViewportSize({ width: 390, height: 844 })
  await fitsPhone(helena)
  await press(helena, 'Salvar')
  await expect(helena.getByRole('heading', { name: `${name} B` })).toBeVisible()
  await fitsPhone(helena)
  await helena.setViewportSize({ width: 1440, height: 900 })
  await expect(helena.getByText('Chegaram mais novidades')).toBeVisible()
  await helena.goto('/Campaigns')
  await rowWith(helena, `${name} B`)
    .getByRole('button', { name: `Gerenciar ${name} B` })
    .click()
  await expect(helena).toHaveURL(/\/CampaignsManager\/\d+$/)
})
