import { expect, test } from './world.ts'

test('without a mail server the store leads on to the sign-up, where the password is chosen (OP-122)', async ({
  people,
}) => {
  const page = await people.visitor()
  const email = `loja${Date.now()}@loja.test`
  await page.goto('/store/1')
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Rui Sá')
  await page.getByLabel('Número de WhatsApp').fill('5511988887777')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/subscription/*')
  await page.getByRole('textbox', { name: 'CPF ou CNPJ' }).fill('529.982.247-25')
  await page.getByRole('textbox', { name: 'Nome da empresa' }).fill('Loja do Rui')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Obrigatório', { exact: true })).toBeVisible()
  await page.getByLabel('Crie uma senha').fill('minha-senha')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Cadastro concluído com êxito: entre com ${email} e a sua senha`)).toBeVisible()
  await page.waitForURL('**/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Senha', { exact: true }).fill('minha-senha')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/tickets')
})
