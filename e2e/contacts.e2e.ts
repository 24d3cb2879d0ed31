import { expectToLast, stopClock } from './clock.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const PATH = '/CategoryContact'

test('a category of contacts is added, found, changed and deleted, and a colleague sees it happen', async ({
  people,
}) => {
  const [helena, marina] = [await people.admin(), await people.attendant()]
  const name = `Bairro ${Date.now().toString().slice(-8)}`
  const [there, here] = [marina, helena].map(page => page.getByRole('row').filter({ hasText: name }))
  await marina.goto(PATH)
  await expect(marina.getByRole('heading', { level: 1 })).toHaveText('Categorias de contato')
  await marina.getByRole('searchbox').fill(name)
  await expect(marina.getByText('Nada foi encontrado')).toBeVisible()

  await helena.goto(PATH)
  await helena.getByRole('button', { name: 'Adicionar' }).click()
  await expect(helena).toHaveURL(`${PATH}/new`)
  const dialog = helena.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório')).toBeVisible()
  await dialog.getByLabel('Nome').fill('ab')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Mensagem muito curta')).toBeVisible()
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('Cor', { exact: true }).fill('#d32f2f')
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  await expect(helena).toHaveURL(PATH)
  await expect(there!).toContainText(name)

  await helena.getByRole('searchbox').fill(name.toUpperCase())
  await expect(helena.getByRole('row')).toHaveCount(2)
  await here!.getByRole('button', { name: 'Editar' }).click()
  await dialog.getByLabel('Nome').fill(`${name} Sul`)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Salvo com sucesso')).toBeVisible()
  await expect(there!).toContainText('Sul')
  await inTheDark(helena)
  await helena.reload()
  await expect(here!).toContainText('Sul')
  await expectAccessible(helena)

  await here!.getByRole('button', { name: 'Excluir' }).click()
  await expect(dialog).toContainText(name)
  await stopClock(helena)
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expectToLast(helena, helena.getByText('Excluído com sucesso'), 3)
  await helena.clock.resume()
  await expect(here!).toBeHidden()
  await expect(there!).toBeHidden()
})

test('a category that takes the name of another is refused there, and may become one with it', async ({
  people,
}) => {
  const helena = await people.admin()
  const stamp = Date.now().toString().slice(-7)
  await helena.goto(PATH)
  const dialog = helena.getByRole('dialog')
  for (const name of [`Padaria ${stamp}`, `Padoca ${stamp}`]) {
    await helena.getByRole('button', { name: 'Adicionar' }).click()
    await dialog.getByLabel('Nome').fill(name)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await expect(dialog).toBeHidden()
  }
  await helena.getByRole('button', { name: `Editar Padoca ${stamp}` }).click()
  await dialog.getByLabel('Nome').fill(`padaria ${stamp}`)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Já existe um registro com este nome')).toBeVisible()
  await dialog.getByRole('button', { name: 'Juntar com ela' }).click()
  const asked = helena.getByRole('dialog', { name: `Juntar Padoca ${stamp}` })
  await asked.getByRole('button', { name: 'Juntar', exact: true }).click()
  await expect(helena.getByText('As categorias agora são uma só')).toBeVisible()
  await expect(helena).toHaveURL(PATH)
  await helena.getByRole('searchbox').fill(stamp)
  await expect(helena.getByRole('row')).toHaveCount(2)
  await expect(helena.getByRole('row').nth(1)).toContainText(`Padaria ${stamp}`)
})
