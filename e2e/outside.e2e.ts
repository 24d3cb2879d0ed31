import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

const lead = () => ({ name: 'Ana Prado', number: '5511988887777', email: `fora${Date.now()}@loja.test` })

test('the app led to the store is left for it, and the way back leads into the app; where the shapes of the form do not come the server judges alone, at the field', async ({
  people,
}) => {
  const page = await people.visitor()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Acessar' })).toBeVisible()
  const scripts: string[] = []
  page.on('request', request => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  await page.evaluate(() => {
    history.pushState(null, '', '/store')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('button', { name: 'Iniciar teste gratis' })).toBeVisible()
  expect(scripts.filter(path => /\/start-/.test(path))).toEqual([])
  expect(scripts.some(path => /\/outside-/.test(path))).toBe(true)
  await page.getByRole('link', { name: 'Voltar ao site' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Iniciar teste gratis' })).toBeVisible()

  await page.route('**/assets/leads.shapes-*.js', route => route.abort())
  const { name, number, email } = lead()
  await page.goto('/store')
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Número de WhatsApp' }).fill('99999')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Número de WhatsApp' })
  await expect(field).toHaveAccessibleDescription(
    /Digite o número com DDD; de outro país, com \+ e o código$/,
  )
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await field.fill(number)
  await expect(field).toHaveAttribute('aria-invalid', 'false')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Você recebera um email para concluir o cadastro')).toBeVisible()
})
