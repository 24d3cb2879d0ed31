import { bubbles, compose, inTouch, sentBy } from './conversation.ts'
import { picture } from './samples.ts'
import { expect, test } from './world.ts'

test('a file that is attached waits through a reload, a closed tab and a logout, for its author alone, until it is sent', async ({
  people,
  phone,
  shop,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  const address = marina.url()
  const context = marina.context()
  const tile = (page = marina) => page.getByRole('img', { name: 'nota.png' })
  await marina.locator('[data-attach]').setInputFiles([picture('nota.png')])
  await expect(tile()).toBeVisible()
  const row = marina.getByRole('link', { name: new RegExp(`${name}[^]*Rascunho[^]*1 arquivo`) })
  await expect(row.first()).toBeVisible()
  await marina.reload()
  await expect(tile()).toBeVisible()

  // another tab has it too
  const there = await context.newPage()
  await there.goto(address)
  await expect(tile(there)).toBeVisible()
  await there.close()

  const enter = async (email: string) => {
    await marina.getByLabel('E-mail').fill(email)
    await marina.getByLabel('Senha', { exact: true }).fill('balcao-demo')
    await marina.getByRole('button', { name: 'Acessar' }).click()
    await expect(marina).toHaveURL(/\/tickets/)
    await expect(marina.locator('main h1')).toBeAttached()
    await marina.goto(address)
    await expect(marina.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
    await expect(compose(marina)).toBeVisible()
  }
  await marina.getByRole('button', { name: /Marina Duarte/ }).click()
  await marina.getByRole('menuitem', { name: 'Logout' }).click()
  await marina.getByRole('button', { name: 'Guardar e sair' }).click()
  await expect(marina).toHaveURL(/\/login$/)
  await enter(shop.admin)
  await expect(bubbles(marina).filter({ hasText: 'Olá!' })).toBeVisible()
  await expect(tile()).toHaveCount(0)
  await marina.getByRole('button', { name: /Helena/ }).click()
  await marina.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(marina).toHaveURL(/\/login$/)
  await enter(shop.attendant)
  await expect(tile()).toBeVisible()

  const other = await context.newPage()
  await other.goto(address)
  await expect(tile(other)).toBeVisible()
  await compose(marina).fill('a nota')
  await compose(marina).press('Enter')
  await expect.poll(() => sentBy(phone, number)).toEqual(['a nota'])
  await expect(other.locator('form').getByRole('img', { name: 'nota.png' })).toHaveCount(0)
  await marina.reload()
  await expect(bubbles(marina).filter({ hasText: 'a nota' })).toBeVisible()
  await expect(marina.locator('form').getByRole('img', { name: 'nota.png' })).toHaveCount(0)
})
