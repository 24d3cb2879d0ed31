import { expectToLast, stopClock } from './clock.ts'
import { expectAccessible, inTheDark, leadTo } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/quickAnswers'

test('a quick answer is added, found, changed and deleted, and a colleague sees it happen', async ({
  people,
}) => {
  const [helena, marina] = [await people.admin(), await people.attendant()]
  const shortcut = `ab${Date.now().toString().slice(-8)}`
  const [there, here] = [marina, helena].map(page => page.getByRole('row').filter({ hasText: shortcut }))
  await marina.goto(PATH)
  await expect(marina.getByRole('heading', { level: 1 })).toBeVisible()
  await marina.getByRole('searchbox').fill(shortcut)
  await expect(marina.getByText('Nada foi encontrado')).toBeVisible()

  await helena.goto(PATH)
  await helena.getByRole('button', { name: 'Adicionar' }).click()
  await expect(helena).toHaveURL(`${PATH}/new`)
  const dialog = helena.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório')).toHaveCount(2)
  await dialog.getByLabel('Atalho').fill(shortcut)
  await dialog.getByLabel('Mensagem').fill('Pode deixar, já vou verificar.')
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  await expect(helena).toHaveURL(PATH)
  await expect(there!).toContainText('Pode deixar')

  await helena.getByRole('searchbox').fill(shortcut)
  await expect(helena.getByRole('row')).toHaveCount(2)
  await here!.getByRole('button', { name: 'Editar' }).click()
  await dialog.getByLabel('Mensagem').fill('O prazo é de dez dias.')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Salvo com sucesso')).toBeVisible()
  await expect(there!).toContainText('dez dias')
  await inTheDark(helena)
  await helena.reload()
  await expect(here!).toContainText('dez dias')
  await expectAccessible(helena)

  await here!.getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog).toContainText(shortcut)
  await stopClock(helena)
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expectToLast(helena, helena.getByText('Excluído com sucesso'), 3)
  await helena.clock.resume()
  await expect(here!).toBeHidden()
  await expect(there!).toBeHidden()
})

test('a failed list says so and is loaded when asked again; an address opens its dialog, or says why not', async ({
  people,
}) => {
  const marina = await people.attendant()
  await marina.route('**/quickAnswers?*', route => route.fulfill({ status: 400, json: {} }))
  // the line is open: nothing asks by itself any more, before it is asked
  await leadTo(marina, PATH)
  const again = marina.getByRole('button', { name: 'Tentar de novo' })
  await expect(again).toBeVisible()
  await marina.unroute('**/quickAnswers?*')
  await again.click()
  await expect(again).toBeHidden()

  await marina.goto(`${PATH}/new`)
  await expect(marina.getByRole('dialog')).toBeVisible()
  await marina.keyboard.press('Escape')
  await expect(marina).toHaveURL(PATH)
  await marina.goto(`${PATH}/2000000000`)
  await expect(marina.getByRole('alert')).toBeVisible()
  await expect(marina).toHaveURL(PATH)
})
