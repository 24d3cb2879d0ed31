import type { Page } from '@playwright/test'
import { office } from './office.ts'
import { expectAccessible, PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

const unique = () => Date.now().toString().slice(-8)
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const phone = { viewport: { width: 390, height: 780 } }
const password = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Helena invites a user into Vendas. */
async function invite(helena: Page, email: string, language = 'Português') {
  await helena.goto('/invitations/new')
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Grupo de permissões').selectOption('Operacionais')
  await dialog.getByLabel('Conexão padrão').selectOption('Loja Centro')
  await dialog.getByLabel('Vendas').check()
  await dialog.getByLabel('Idioma do convite').selectOption(language)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(rowOf(helena, email)).toBeVisible()
}

test('an admin invites by mail, who is invited accepts on a phone and is at work; the list follows', async ({
  people,
  shop,
}) => {
  const email = `nina${unique()}@balcao.test`
  const helena = await people.admin({ at: '/users' })
  await helena.getByRole('link', { name: /Convites/ }).click()
  await helena.getByRole('button', { name: 'Convidar' }).click()
  const dialog = helena.getByRole('dialog')
  await expect(dialog.getByLabel('E-mail')).toBeFocused()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Defina o grupo de permissões').first()).toBeVisible()
  await expectAccessible(helena)
  await invite(helena, email)
  await expect(rowOf(helena, email)).toContainText('Enviado')

  const { token } = await office.letterTo(email)
  const nina = await people.visitor(phone)
  await nina.goto(`/invitation#${token}`)
  await expect(
    nina.getByText(`Helena Prado convidou você para ${shop.name}, com o e-mail ${email}.`),
  ).toBeVisible()
  // by keyboard alone
  await expect(nina.getByLabel('Nome')).toBeFocused()
  await nina.keyboard.type('Nina Prates')
  await password(nina, 'Crie uma senha').focus()
  await nina.keyboard.type('abc')
  await nina.keyboard.press('Enter')
  await expect(nina.getByText('Too Short!')).toBeVisible()
  await nina.keyboard.type(PASSWORD)
  await nina.keyboard.press('Enter')
  await expect(nina).toHaveURL(/\/tickets$/)
  await expect(rowOf(helena, email)).toBeHidden()
  await helena.goto('/users')
  await expect(rowOf(helena, 'Nina Prates')).toContainText(email)

  await nina.goto('/email#x')
  await nina.getByRole('button', { name: 'Confirmar e-mail' }).click()
  await expect(nina.getByRole('alert')).toContainText('Este link não vale mais')
})
