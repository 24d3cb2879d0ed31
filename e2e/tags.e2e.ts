import { tags } from '@balcao/contract/tags.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { expectToLast, stopClock } from './clock.ts'
import { compose, inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/tags'
const newName = () => `Etiqueta ${Date.now().toString().slice(-8)}`
const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar ou criar' })

test('a tag is added, found, changed and deleted, and a colleague sees it happen', async ({ people }) => {
  const [helena, marina] = [await people.admin(), await people.attendant()]
  const name = newName()
  const [there, here] = [marina, helena].map(page => page.getByRole('row').filter({ hasText: name }))
  await marina.goto(PATH)
  await expect(marina.getByRole('row').nth(1)).toBeVisible()

  await helena.getByRole('button', { name: 'Administração' }).click()
  await helena.getByRole('menuitem', { name: 'Etiquetas' }).click()
  await helena.getByRole('button', { name: 'Adicionar' }).click()
  await expect(helena).toHaveURL(`${PATH}/new`)
  const dialog = helena.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('Nome').fill('ab')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Mensagem muito curta')).toBeVisible()
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByRole('button', { name: 'Roxo' }).click()
  await dialog.getByRole('switch', { name: 'Raia do quadro' }).click()
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Etiqueta salva')).toBeVisible()
  await expect(there!).toContainText('Sim')

  await helena.getByRole('searchbox').fill(name.toUpperCase())
  await expect(helena.getByRole('row')).toHaveCount(2)
  await here!.getByRole('button', { name: 'Editar' }).click()
  await dialog.getByLabel('Nome').fill('vip')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText(/já existe/i)).toBeVisible()
  await dialog.getByLabel('Nome').fill(`${name} nova`)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(there!).toContainText('nova')
  await inTheDark(helena)
  await helena.reload()
  await expect(here!).toBeVisible()
  await expectAccessible(helena)

  await here!.getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog).toContainText(name)
  await stopClock(helena)
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expectToLast(helena, helena.getByText('Etiqueta excluída'), 3)
  await helena.clock.resume()
  await expect(here!).toBeHidden()
  await expect(there!).toBeHidden()
})

test('in a conversation tags are put on, taken off and made by the keyboard alone, and follow on every screen', async ({
  people,
  phone,
  world,
}) => {
  const { marina, name: customer } = await inTouch(people, phone, 'Tarsila')
  const helena = await people.admin({ at: PATH })
  const name = newName()
  const counted = helena.getByRole('row').filter({ hasText: name })
  const row = marina.locator('[data-ticket]').filter({ hasText: customer })

  await marina.keyboard.press('Alt+a')
  await expect(row).toBeVisible()
  await compose(marina).click()
  await marina.keyboard.press('Alt+g')
  await expect(field(marina)).toBeFocused()
  await expectAccessible(marina)
  await marina.keyboard.press('Enter')
  await expect(marina.getByText('Obrigatório')).toBeVisible()
  await marina.keyboard.type('ab')
  await marina.keyboard.press('Enter')
  await expect(marina.getByText('Mensagem muito curta')).toBeVisible()
  await field(marina).fill(name)
  await marina.keyboard.press('Enter')
  await expect(marina.getByRole('option', { name, selected: true })).toBeVisible()
  await expect(row).toContainText(name)
  await expect(counted).toContainText('1')
  await field(marina).fill('vip')
  await marina.keyboard.press('Enter')
  await expect(row).toContainText('+1')

  const { call } = await callsOf(world.url)
  const made = (await call(tags.all)).find(tag => tag.name === name)!
  const params = { tagId: made.id }
  await call(tags.change, { params, body: { name: `${name} B` } })
  await expect(row).toContainText(`${name} B`)
  await call(tags.remove, { params })
  await expect(row).not.toContainText(name)

  await field(marina).fill('vip')
  await marina.keyboard.press('Enter')
  await expect(row).not.toContainText('VIP')
  await marina.keyboard.press('Escape')
  await expect(field(marina)).toBeHidden()
  await expect(compose(marina)).toBeFocused()
})

test('a tag that takes the name of another is refused there, and may become one with it', async ({
  people,
  world,
}) => {
  const { call } = await callsOf(world.url)
  const stamp = Date.now().toString().slice(-7)
  for (const name of [`Retorno ${stamp}`, `Retornar ${stamp}`]) await call(tags.create, { body: { name } })
  const helena = await people.admin({ at: PATH })
  await helena.getByRole('searchbox').fill(stamp)
  await helena.getByRole('button', { name: `Editar Retornar ${stamp}` }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill(`retorno ${stamp}`)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Outra etiqueta já tem este nome.')).toBeVisible()
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Juntar com ela' }).click()
  const asked = helena.getByRole('dialog', { name: `Juntar Retornar ${stamp}` })
  await helena.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await dialog.getByRole('button', { name: 'Juntar com ela' }).click()
  await asked.getByRole('button', { name: 'Juntar', exact: true }).click()
  await expect(helena.getByText('As etiquetas agora são uma só')).toBeVisible()
  await expect(helena.getByRole('row')).toHaveCount(2)
  await expect(helena.getByRole('row').nth(1)).toContainText(`Retorno ${stamp}`)
  await expect(helena.getByRole('alert')).toHaveCount(0)
})
