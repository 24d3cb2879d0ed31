import type { Page } from '@playwright/test'
import { newNumber } from './conversation.ts'
import { expect, test } from './world.ts'

const rowOf = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })

test('a reload and the way back lead to the same tab, queues, search and scroll [TICKET-007, TICKET-012, LIVE-001]', async ({
  people,
}) => {
  const page = await people.loggedIn('admin@balcao.test', { viewport: { width: 390, height: 844 } })
  await page.getByText('Fechados', { exact: true }).click()
  await expect(page.locator('[data-list=closed] [data-ticket]').first()).toBeVisible()
  const list = page.locator('[data-list=closed]')
  await list.evaluate(box => {
    box.scrollTop = 1_600
  })
  const row = list.locator('[data-ticket]').nth(8)
  await row.click()
  await expect(page).toHaveURL(/tickets\/\d+$/)
  await page.goBack()
  await expect.poll(() => list.evaluate(box => box.scrollTop)).toBeGreaterThan(1_400)
  await page.reload()
  await expect.poll(() => list.evaluate(box => box.scrollTop)).toBeGreaterThan(1_400)
  await page.getByRole('button', { name: 'Filas e ordem' }).click()
  await page.getByRole('checkbox', { name: 'Sem fila' }).click()
  await expect(page.getByRole('checkbox', { name: 'Sem fila' })).toBeChecked()
  await page.keyboard.press('Escape')
  await page.getByText('Busca', { exact: true }).click()
  await page.getByLabel('Nome, número, protocolo ou texto').fill('a')
  await page.getByRole('button', { name: 'Buscar' }).click()
  await page.reload()
  await expect(page.getByLabel('Nome, número, protocolo ou texto')).toHaveValue('a')
  await page.getByRole('button', { name: 'Filas e ordem' }).click()
  await expect(page.getByRole('checkbox', { name: 'Sem fila' })).toBeChecked()
})

test('the rows stay under the pointer while others write, and a pill tells how many are new; a long list behind the bell scrolls [SHELL-017, SHELL-019]', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const [first, second] = [newNumber(), newNumber()]
  await tab(marina, /Aguardando/).click()
  await phone.write(first, 'Estou aqui', `Fixa ${first.slice(-5)}`)
  const row = rowOf(marina, `Fixa ${first.slice(-5)}`)
  await row.hover()
  const before = (await row.boundingBox())!.y
  await phone.write(second, 'Cheguei', `Nova ${second.slice(-5)}`)
  const pill = marina.getByRole('button', { name: '1 novo' })
  await expect(pill).toBeVisible()
  expect((await row.boundingBox())!.y).toBe(before)
  // on its way to the pill the pointer does not leave the list
  await pill.hover()
  await pill.click()
  await expect(rowOf(marina, `Nova ${second.slice(-5)}`)).toBeInViewport()
  await expect(pill).toBeHidden()

  for (let i = 0; i < 12; i++) {
    const number = newNumber()
    await phone.write(number, 'Oi', `Fila ${number.slice(-5)}`)
  }
  const bell = marina.getByRole('button', { name: /^Notificações: \d+/ })
  await bell.click()
  const box = marina.getByRole('dialog', { name: 'Notificações' })
  await expect.poll(() => box.getByRole('button').count()).toBeGreaterThanOrEqual(12)
  expect(await box.evaluate(it => it.scrollHeight > it.clientHeight)).toBe(true)
  // the last of them may come between two looks
  await expect
    .poll(async () => {
      const said = (await bell.getAttribute('aria-label'))!.match(/\d+/)![0]
      return (await box.getByRole('button').count()) - Number(said)
    })
    .toBe(0)
})

test('the keyboard is not lost while a dialog comes: a contact is found and chosen by it alone; Enter on a question of deletion deletes nothing, and a switch that is on stands right [TICKET-021, TSTATE-019, TSTATE-027, TSTATE-032, TSTATE-033, TSTATE-035, CONV-005, OP-02]', async ({
  people,
  phone,
}) => {
  const number = newNumber()
  const name = `Quiteria ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await phone.write(newNumber(), 'Oi', 'Outro que espera')
  const helena = await people.admin()
  const gate = Promise.withResolvers<void>()
  await helena.route('**/assets/new-ticket*.js', async route => {
    await gate.promise
    await route.continue()
  })
  await helena.keyboard.press('Alt+n')
  await helena.keyboard.type(name)
  gate.resolve()
  const field = helena.getByRole('combobox', { name: 'Contato', exact: true })
  await expect(field).toHaveValue(name)
  await expect(helena.getByRole('option', { name }).first()).toBeVisible()
  await helena.keyboard.press('ArrowDown')
  await helena.keyboard.press('ArrowUp')
  await helena.keyboard.press('Enter')
  await expect(helena.getByRole('button', { name: 'Iniciar' })).toBeEnabled()
  await helena.keyboard.press('Escape')
  await helena.keyboard.press('?')
  await expect(helena.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible()
  await helena.keyboard.press('Escape')
  await helena.keyboard.press('Alt+s')
  await expect(tab(helena, /Aguardando/)).toHaveAttribute('aria-selected', 'true')
  await helena.keyboard.press('Alt+ArrowDown')
  await expect(helena).toHaveURL(/tickets\/\d+$/)
  const first = helena.url()
  await helena.keyboard.press('Alt+ArrowDown')
  await expect(helena).not.toHaveURL(first)
  await helena.keyboard.press('Alt+ArrowUp')
  await expect(helena).toHaveURL(first)
  await rowOf(helena, name).click()
  await expect(helena.getByRole('heading', { name })).toBeVisible()
  await helena.keyboard.press('Alt+4')
  const dialog = helena.getByRole('dialog')
  await expect(dialog).toContainText(name)
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await helena.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(rowOf(helena, name)).toBeVisible()
  const all = helena.getByRole('switch', { name: 'Todos' })
  await helena.keyboard.press('Alt+z')
  await expect(all).toBeChecked()
  const on = helena.locator('.mantine-Switch-root').filter({ has: all })
  const middle = async (part: string) => {
    const box = (await on.locator(part).boundingBox())!
    return box.x + box.width / 2
  }
  await expect
    .poll(async () => (await middle('.mantine-Switch-thumb')) - (await middle('.mantine-Switch-track')))
    .toBeGreaterThan(3)
  await helena.keyboard.press('Alt+z')
  await expect(all).not.toBeChecked()
})
