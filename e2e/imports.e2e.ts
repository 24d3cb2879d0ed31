import { inventPast } from '@balcao/whatsapp-server/past.ts'
import type { Locator } from '@playwright/test'
import { bubbles, newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { addConnection, codeOf, expect, rowOf, test } from './whatsapp.ts'

const DAY = 86_400_000
/** The value of a datetime field, in local time. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 16)

test('the past of a phone is brought along, counted on the screen, and its tickets are closed at once [CONN-008, CONN-011, CONN-018, CONN-019]', async ({
  people,
  whatsapp,
}) => {
  test.setTimeout(180_000)
  const shop = newNumber()
  const helena = await people.admin()
  const owner = await whatsapp.addPhone(shop, { name: 'Lume Antiga' })
  await addConnection(helena, 'Antiga', async dialog => {
    await dialog.getByLabel('Importar desde').fill(daysAgo(-2))
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog.getByText('A data não pode ser depois de agora')).toBeVisible()
    await dialog.getByLabel('Importar desde').fill(daysAgo(200))
    await dialog.getByLabel('Importar até').fill(daysAgo(300))
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog.getByText('Não pode ser antes do início da importação')).toBeVisible()
    await dialog.getByLabel('Importar até').fill('')
    await expectAccessible(helena)
  })
  const state = rowOf(helena, 'Antiga')
  const seen = await everySaid(state)
  const past = inventPast({ of: shop, chats: 3, messages: 300, days: 150 })
  await owner.scan(await codeOf(helena), { past })
  await expect(helena.getByRole('dialog')).toBeHidden()
  // on a busy machine the last of them come with the end
  await expect(state).toContainText(/900 de 900 mensagens|Fechar tickets importados/, { timeout: 60_000 })
  const progress = (await seen()).map(said => said.map(Number))
  expect(progress.every(([done, all, percent]) => percent === Math.floor((done! / all!) * 100))).toBe(true)
  expect(progress.length).toBeGreaterThan(1)

  const close = state.getByRole('button', { name: 'Fechar tickets importados' })
  await expect(close).toBeVisible({ timeout: 90_000 })

  await helena.goto('/tickets')
  await helena.getByRole('switch', { name: 'Todos' }).click()
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  const customer = helena.locator('[data-ticket]').filter({ hasText: 'Cliente 2' })
  await customer.click()
  await expect(bubbles(helena).filter({ hasText: 'mensagem 300' })).toBeInViewport()
  await helena.goto('/connections')
  await close.click()
  await expect(close).toBeHidden()
  await helena.goto('/tickets')
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(helena.locator('[data-ticket]').first()).toBeVisible()
  await expect(customer).toBeHidden()
  expect(whatsapp.unknown).toEqual([])
})

declare global {
  // in the page
  var shownProgress: Set<string>
}

/** Gathers every progress that a row shows from now on: done, all, percent. */
async function everySaid(row: Locator) {
  await row.evaluate(element => {
    const said = new Set<string>()
    Object.assign(window, { shownProgress: said })
    const look = () => {
      const [found] = /\d+ de \d+ mensagens \(\d+%\)/.exec(element.textContent ?? '') ?? []
      if (found) said.add(found)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return async () => {
    const all = await row.page().evaluate(() => [...shownProgress])
    return all.map(one => one.match(/\d+/g)!)
  }
}
