import type { Page } from '@playwright/test'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a private page leads to the login and back to where one wanted to go', async ({ people }) => {
  const page = await people.visitor()
  await page.goto('/connections')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Acessar' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Idioma' }).selectOption({ label: 'Español' })
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Idioma' }).selectOption({ label: 'Português' })
  await page.getByLabel('E-mail').fill('admin@balcao.test')
  await page.getByLabel('Senha', { exact: true }).fill('balcao-demo')
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page).toHaveURL(/\/connections$/)
  await expect(page.getByRole('table', { name: 'Conexões' })).toBeVisible()
})

test('a wrong password is refused in words, and the form stays', async ({ people }) => {
  const page = await people.visitor()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('admin@balcao.test')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page.getByText('E-mail ou senha incorretos')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('admin@balcao.test')
})

test('a new company signs up, logs in and finds its empty counter', async ({ people }) => {
  const page = await people.visitor()
  await page.goto('/signup')
  // what is left empty is not yet wrong: no error moves the link away from under the pointer
  await expect(page.getByLabel('Nome')).toBeFocused()
  await page.getByRole('link', { name: 'Voltar para o login' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto('/signup')
  await page.getByLabel('Nome').fill('N')
  await page.getByLabel('E-mail').fill('dona@mercearia.test')
  await expect(page.getByText('Too Short!')).toBeVisible()
  await page.getByLabel('Nome').fill('Mercearia da Dona')
  await page.getByLabel('Senha', { exact: true }).fill('segredo1')
  await page.getByRole('button', { name: 'Criar conta' }).click()
  await expect(page).toHaveURL(/\/login$/)
  // the address changes before the screen has come
  await expect(page.getByRole('button', { name: 'Acessar' })).toBeVisible()
  await page.getByLabel('E-mail').fill('dona@mercearia.test')
  await page.getByLabel('Senha', { exact: true }).fill('segredo1')
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page.getByText('Nenhum atendimento aberto')).toBeVisible()
  await expect(page).toHaveTitle('Nada de mensagens')
})

test('a session survives a reload, under a mark while it is asked for, and an expired token, and ends with the logout', async ({
  people,
}) => {
  const page = await people.attendant()
  await page.addInitScript(keepLines)
  const gate = Promise.withResolvers<void>()
  await page.route('**/auth/refresh_token', async route => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('status').getByText('Carregando')).toBeAttached()
  gate.resolve()
  await expect(page.getByRole('tab', { name: /Atendendo/ })).toBeVisible()
  await page.goto('/login')
  await expect(page).toHaveURL(/\/tickets$/)
  await expect.poll(() => openLinesOf(page)).toBe(1)
  await page.getByRole('button', { name: /Marina Duarte/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => openLinesOf(page)).toBe(0)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goto('/tickets')
  await expect(page).toHaveURL(/\/login$/)
})

test('theme and language are chosen in the preferences and kept', async ({ people }) => {
  const page = await people.attendant()
  await page.getByRole('button', { name: /Marina Duarte/ }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Preferencias' }).click()
  await page.getByText('Drácula', { exact: true }).click()
  await page.getByText('English').click()
  await page.getByRole('button', { name: 'APLICAR' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dracula')
  await expect(page.getByRole('tab', { name: /Waiting/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: /Waiting/ })).toBeVisible()
})

test('a screen whose script does not come says so beside the menu, and comes when it is reloaded', async ({
  people,
}) => {
  const page = await people.admin()
  await page.route('**/assets/connections-screen-*.js', route => route.abort())
  await page.getByRole('link', { name: /Conexões/ }).click()
  await expect(page.getByText('Esta tela não pôde ser mostrada')).toBeVisible()
  // away from the link, whose hint would be measured while it fades
  await page.getByText('Esta tela não pôde ser mostrada').click()
  await expect(page.getByRole('tooltip')).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('link', { name: /Atendimentos/ }).click()
  await expect(page.getByRole('tab', { name: /Aguardando/ })).toBeVisible()
  await page.getByRole('link', { name: /Conexões/ }).click()
  await page.unroute('**/assets/connections-screen-*.js')
  await page.getByRole('button', { name: 'Recarregar' }).last().click()
  await expect(page.getByRole('table', { name: 'Conexões' })).toBeVisible()
})

declare global {
  var lines: WebSocket[]
}

/** In the page: each document knows what lines it opened. */
function keepLines() {
  globalThis.lines = []
  globalThis.WebSocket = class extends WebSocket {
    constructor(...from: ConstructorParameters<typeof WebSocket>) {
      super(...from)
      lines.push(this)
    }
  }
}

const openLinesOf = (page: Page) =>
  page.evaluate(() => lines.filter(({ readyState }) => readyState === WebSocket.OPEN).length)
