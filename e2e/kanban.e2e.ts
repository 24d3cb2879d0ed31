import { tags } from '@balcao/contract/tags.ts'
import type { Page } from '@playwright/test'
import { compose, inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import type { Shop } from './shop.ts'
import { expect, test } from './world.ts'

const lane = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })
const card = (page: Page, name: string) => page.getByRole('article', { name })
/** The board filtered to one customer's card: the newest is at the end of a long lane. */
async function openBoard(page: Page, name: string) {
  await page.goto('/kanban')
  await page.getByRole('searchbox', { name: 'Buscar contato ou mensagem' }).fill(name)
  await expect(page.getByRole('article')).toHaveCount(1)
}
const MOVED = 'Alteração realizada com Sucesso!'

/** Two lanes of this test; they are gone with it. */
async function lanesOf(shop: Shop) {
  const helena = shop
  const run = Date.now().toString().slice(-6)
  const names = [`Aa proposta ${run}`, `Ab fechado ${run}`] as const
  const made = []
  for (const name of names)
    made.push(await helena.call(tags.create, { body: { name, color: '#1273de', kanban: 1 } }))
  return { helena, first: names[0], second: names[1], ids: made.map(({ id }) => id) }
}

test('a card is dragged by the mouse to another lane, a colleague sees it go, and it leads to its conversation [GEN-022, ROUTE-050, OP-49, OP-102 … OP-103, KANBAN-001, KANBAN-002, KANBAN-003, KANBAN-004, KANBAN-005, KANBAN-006]', async ({
  people,
  phone,
  shop,
}) => {
  const { helena: calls, first, second, ids } = await lanesOf(shop)
  const { marina, name } = await inTouch(people, phone, 'Karina')
  const helena = await people.admin()
  for (const page of [marina, helena]) await openBoard(page, name)
  await expect(lane(marina, 'Em aberto').locator(card(marina, name))).toBeVisible()
  const box = await lane(marina, first).boundingBox()
  expect(box!.width).toBeGreaterThanOrEqual(400)

  await card(marina, name).getByText(name).dragTo(lane(marina, first))
  await expect(marina.getByText(MOVED)).toBeVisible()
  await expect(lane(marina, first).locator(card(marina, name))).toBeVisible()
  await expect(lane(helena, first).locator(card(helena, name))).toBeVisible()

  await openBoard(marina, name)
  await card(marina, name).getByText(name).dragTo(lane(marina, second))
  await expect(lane(helena, second).locator(card(helena, name))).toBeVisible()
  await expect(lane(marina, second).locator(card(marina, name))).toBeVisible()
  const href = await card(marina, name).getByRole('link').getAttribute('href')
  expect(href).toMatch(/^\/tickets\/[0-9a-f-]{36}$/)
  await card(marina, name).getByRole('link').click()
  await expect(compose(marina)).toBeVisible()
  await expect(marina).toHaveURL(/\/tickets\/\d+$/)

  await openBoard(helena, name)
  await helena.getByRole('button', { name: 'Filtros' }).click()
  await helena.getByRole('combobox', { name: 'Etiquetas' }).click()
  await helena.getByRole('option', { name: first }).click()
  await expect(helena.getByRole('button', { name: 'Filtros' })).toHaveAttribute('data-on', 'true')
  await helena.keyboard.press('Escape')
  await expect(helena.getByRole('article')).toHaveCount(0)
  for (const tagId of ids) await calls.call(tags.remove, { params: { tagId } })
  // a filter that is hidden narrows nothing
  await expect(card(helena, name)).toBeVisible()
})

test('cards are walked through and moved by the keyboard alone, several at once, on a phone and for who cannot see [KANBAN-005]', async ({
  people,
  phone,
  shop,
}) => {
  const { helena: calls, first, second, ids } = await lanesOf(shop)
  const { marina, name } = await inTouch(people, phone, 'Kelly')
  await marina.goto('/tickets')
  await marina.getByRole('button', { name: 'Filas e ordem' }).click()
  await marina.getByRole('link', { name: 'Abrir o Kanban' }).click()
  await marina.getByRole('searchbox', { name: 'Buscar contato ou mensagem' }).fill(name)
  await expect(marina.getByRole('article')).toHaveCount(1)

  await card(marina, name).getByRole('link').focus()
  await marina.keyboard.press('Space')
  const dialog = marina.getByRole('dialog', { name: `Mover ${name} para…` })
  await expect(dialog.getByRole('button', { name: /^Em aberto/ })).toBeDisabled()
  await expectAccessible(marina)
  await dialog.getByRole('button', { name: first }).focus()
  await marina.keyboard.press('Enter')
  await expect(marina.getByRole('status').filter({ hasText: `${name}: movido para ${first}` })).toBeAttached()
  await expect(lane(marina, first).locator(card(marina, name))).toBeVisible()
  await expect(card(marina, name).getByRole('link')).toBeFocused()

  await marina.setViewportSize({ width: 390, height: 844 })
  await inTheDark(marina)
  await openBoard(marina, name)
  await card(marina, name)
    .getByRole('checkbox', { name: `Selecionar ${name}` })
    .check()
  await expect(marina.getByText('Um selecionado')).toBeVisible()
  await marina.getByRole('button', { name: 'Mover para…', exact: true }).click()
  await dialog.getByRole('button', { name: second }).focus()
  await marina.keyboard.press('Enter')
  await expect(lane(marina, second).locator(card(marina, name))).toBeAttached()
  await expect(card(marina, name).getByRole('link')).toBeFocused()
  for (const tagId of ids) await calls.call(tags.remove, { params: { tagId } })
})

test('on a phone a finger opens the menu of a card and moves it, alone or chosen with others [KANBAN-003]', async ({
  people,
  phone,
  shop,
}) => {
  const { helena: calls, first, second, ids } = await lanesOf(shop)
  const { marina, name } = await inTouch(people, phone, 'Kátia')
  const touched = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const small = await people.attendant(touched)
  for (const page of [marina, small]) await openBoard(page, name)
  await card(small, name)
    .getByRole('button', { name: `Mover ${name} para…` })
    .tap()
  await small.getByRole('dialog').getByRole('button', { name: first }).tap()
  await expect(small.getByText(MOVED)).toBeVisible()
  await expect(lane(small, first).locator(card(small, name))).toBeAttached()
  await expect(lane(marina, first).locator(card(marina, name))).toBeVisible()
  await lane(small, first).evaluate(one => one.scrollIntoView())
  await card(small, name).getByRole('checkbox').tap()
  await small.getByRole('button', { name: 'Mover para…', exact: true }).tap()
  await small.getByRole('dialog').getByRole('button', { name: second }).tap()
  await expect(lane(marina, second).locator(card(marina, name))).toBeVisible()
  for (const tagId of ids) await calls.call(tags.remove, { params: { tagId } })
})
