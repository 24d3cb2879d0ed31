import type { Page } from '@playwright/test'
import { expect, test } from './office.ts'
import { expectAccessible, inTheDark, PASSWORD } from './people.ts'

const unique = () => Date.now().toString().slice(-8)
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const phone = { viewport: { width: 390, height: 780 } }
const password = (page: Page, name: string) => page.getByLabel(name, { exact: true })

/** Helena invites somebody into Vendas. */
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
  office,
}) => {
  const email = `nina${unique()}@balcao.test`
  const helena = await people.admin({ at: '/users' })
  await helena.getByRole('link', { name: /Convites/ }).click()
  await helena.getByRole('button', { name: 'Convidar' }).click()
  const dialog = helena.getByRole('dialog')
  await expect(dialog.getByLabel('E-mail')).toBeFocused()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByRole('status').getByText('Defina o grupo de permissões')).toBeVisible()
  await expectAccessible(helena)
  await invite(helena, email)
  await expect(rowOf(helena, email)).toContainText('Enviado')
  await expectAccessible(helena)

  const { token } = await office.letterTo(email)
  const nina = await people.visitor(phone)
  await nina.goto(`/invitation#${token}`)
  await expect(
    nina.getByText(`Helena Prado convidou você para Lume Móveis, com o e-mail ${email}.`),
  ).toBeVisible()
  await expectAccessible(nina)
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

test('an invitation is written and read in the language that was chosen, sent again, and withdrawn', async ({
  people,
  office,
}) => {
  const helena = await people.admin()
  const email = `john${unique()}@balcao.test`
  await invite(helena, email, 'English')
  const first = await office.letterTo(email)
  expect(first.subject).toBe('Invitation to the team of Lume Móveis')
  await rowOf(helena, email)
    .getByRole('button', { name: `Enviar de novo a ${email}` })
    .click()
  const second = await office.letterTo(email, 1)

  const john = await people.visitor(phone)
  await inTheDark(john)
  await john.goto(`/invitation#${first.token}`)
  await expect(john.getByRole('heading', { name: 'Este convite não vale mais' })).toBeVisible()
  await expectAccessible(john)
  for (const [language, title] of [
    ['English', 'Join the team'],
    ['Español', 'Únase al equipo'],
    ['Português', 'Entre para a equipe'],
  ] as const) {
    await john.goto('/login')
    await john.getByRole('combobox').selectOption({ label: language })
    await john.goto(`/invitation#${second.token}`)
    await expect(john.getByRole('heading', { name: title })).toBeVisible()
  }
  await rowOf(helena, email)
    .getByRole('button', { name: `Cancelar o convite de ${email}` })
    .click()
  await helena.getByRole('dialog').getByRole('button', { name: 'Cancelar convite' }).click()
  await expect(rowOf(helena, email)).toBeHidden()
  await john.reload()
  await expect(john.getByRole('heading', { name: 'Este convite não vale mais' })).toBeVisible()
})

test('a forgotten password is set by a link, in the same words for whoever has no account', async ({
  people,
  office,
}) => {
  const caio = await people.visitor(phone)
  await caio.goto('/login')
  await caio.getByRole('link', { name: 'Esqueci minha senha' }).click()
  await expectAccessible(caio)
  for (const email of ['ninguem@balcao.test', 'caio@balcao.test']) {
    await caio.goto('/forgot')
    await caio.getByLabel('E-mail').fill(email)
    await caio.getByRole('button', { name: 'Enviar link' }).click()
    await expect(caio.getByText('Se este e-mail tem uma conta')).toBeVisible()
  }
  const { token } = await office.letterTo('caio@balcao.test')
  expect(office.letters.map(({ to }) => to)).not.toContain('ninguem@balcao.test')
  await caio.goto(`/reset#${token}`)
  await expectAccessible(caio)
  await password(caio, 'Nova senha').fill('outra-senha')
  await caio.keyboard.press('Enter')
  await expect(caio.getByText('Senha alterada')).toBeVisible()
  await caio.getByLabel('E-mail').fill('caio@balcao.test')
  await password(caio, 'Senha').fill('outra-senha')
  await caio.getByRole('button', { name: 'Acessar' }).click()
  await expect(caio).toHaveURL(/\/tickets$/)
})

test('in the own profile one changes password and e-mail by the old password, and ends sessions', async ({
  people,
  office,
}) => {
  const marina = await people.attendant()
  const elsewhere = await people.attendant(phone)
  await marina.getByRole('button', { name: /Marina Duarte/ }).click()
  await marina.getByRole('menuitem', { name: 'Perfil' }).click()
  const dialog = marina.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Sessões' }).click()
  await expect(dialog.getByText('Esta sessão')).toHaveCount(1)
  await expect(dialog.getByRole('listitem').first()).toContainText('Chrome em Linux')
  await expectAccessible(marina)
  await dialog.getByRole('button', { name: 'Encerrar todas as outras' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(elsewhere.getByRole('dialog')).toBeVisible()

  await dialog.getByRole('tab', { name: 'Acesso' }).click()
  await expectAccessible(marina)
  const change = dialog.getByRole('form', { name: 'Alterar senha' })
  await change.getByLabel('Senha atual', { exact: true }).fill('errada')
  await change.getByLabel('Nova senha', { exact: true }).fill('minha-senha')
  await change.getByRole('button', { name: 'Alterar senha' }).click()
  await expect(change.getByText('Esta não é a sua senha atual')).toBeVisible()
  await change.getByLabel('Senha atual', { exact: true }).fill(PASSWORD)
  await change.getByRole('button', { name: 'Alterar senha' }).click()
  await expect(marina.getByText('Senha alterada')).toBeVisible()

  const email = `marina${unique()}@balcao.test`
  const address = dialog.getByRole('form', { name: 'Alterar e-mail' })
  await address.getByLabel('Novo e-mail').fill(email)
  await address.getByLabel('Senha atual', { exact: true }).fill('minha-senha')
  await address.getByRole('button', { name: 'Alterar e-mail' }).click()
  await expect(marina.getByText(`Enviamos um link a ${email}`)).toBeVisible()
  const { token } = await office.letterTo(email)
  await marina.goto(`/email#${token}`)
  await expectAccessible(marina)
  await marina.getByRole('button', { name: 'Confirmar e-mail' }).click()
  await expect(marina.getByText(`Agora você entra com ${email}`)).toBeVisible()
  expect((await office.letterTo('atendente@balcao.test')).text).toContain(email)
})
