import { tags } from '@balcao/contract/tags.ts'
import type { Page } from '@playwright/test'
import { compose, inTouch } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/tags'
const newName = () => `Etiqueta ${Date.now().toString().slice(-8)}`
const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar ou criar' })

test('in a conversation tags are put on, taken off and made by the keyboard alone, and follow on every screen [CONV-008, CONV-009, TAG-006]', async ({
  people,
  phone,
  shop,
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

  const { call } = shop
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
