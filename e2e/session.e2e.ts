import type { Page } from '@playwright/test'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a session survives a reload, under a mark while it is asked for, and an expired token, and ends with the logout [AUTH-005, AUTH-006, AUTH-010, AUTH-015, ROUTE-002, ROUTE-003, ROUTE-011, SHELL-010]', async ({
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
