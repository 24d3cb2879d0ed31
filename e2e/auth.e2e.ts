import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a visitor is asked to log in, is told when the password is wrong, and enters with the right one', async ({
  people,
}) => {
  const page = await people.visitor()
  await page.goto('/tickets')
  await expect(page).toHaveURL(/\/login/)
  await expectAccessible(page)
  await page.getByLabel('E-mail').fill('admin@balcao.test')
  await page.getByLabel('Senha', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page.getByText('E-mail ou senha incorretos')).toBeVisible()
  await page.getByLabel('Senha', { exact: true }).fill('balcao-demo')
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page).toHaveURL(/\/tickets/)
})
