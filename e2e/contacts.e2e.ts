import { contacts } from '@balcao/contract/contacts.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import { callsOf } from './call.ts'
import { expectToLast, stopClock } from './clock.ts'
import { compose } from './conversation.ts'
import { expectAccessible, inTheDark, PASSWORD } from './people.ts'
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
  const stamp = Date.now().toString().slice(-7)
  const helena = await people.admin({ at: PATH })
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

test('a contact is added with its categories, found, attended, changed and deleted, and a colleague sees it happen', async ({
  people,
}) => {
  const marina = await people.attendant()
  const stamp = Date.now().toString().slice(-7)
  const name = `Zélia ${stamp}`
  await marina.getByRole('link', { name: 'Contatos' }).click()
  await expect(marina).toHaveURL('/contacts')
  await marina.getByRole('searchbox').fill(stamp)
  await expect(marina.getByText('Nada foi encontrado')).toBeVisible()

  const helena = await people.admin({ at: '/contacts' })
  await expect(helena.getByRole('heading', { level: 1 })).toHaveText('Contatos')
  await helena.getByRole('button', { name: 'Adicionar contato' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Obrigatório')).toHaveCount(2)
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('Número').fill('5,51199E+12')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Número em notação científica')).toBeVisible()
  await dialog.getByLabel('Número').fill(`71 9 9${stamp}`)
  await expect(dialog.getByText('Falta o código do país?')).toBeVisible()
  await dialog.getByRole('button', { name: 'Usar' }).click()
  await expect(dialog.getByLabel('Número')).toHaveValue(`557199${stamp}`)
  await dialog.getByLabel('E-mail').fill('zelia')
  await dialog.getByRole('combobox', { name: 'Categorias' }).click()
  await helena.getByRole('option', { name: 'Cliente ouro' }).click()
  await helena.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Adicionar informação' }).click()
  await dialog.getByRole('textbox', { name: 'Informação' }).fill('Aniversário')
  await dialog.getByRole('textbox', { name: 'Valor' }).fill('12 de maio')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Invalid email')).toBeVisible()
  await dialog.getByLabel('E-mail').fill(`zelia${stamp}@cliente.test`)
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Criado com sucesso')).toBeVisible()
  const there = marina.getByRole('row').filter({ hasText: name })
  await expect(there).toContainText('Cliente ouro')

  await helena.goto(`/contacts?search=${stamp}`)
  const here = helena.getByRole('row').filter({ hasText: name })
  await expect(here).toContainText(`+55 71 99${stamp.slice(0, 3)} ${stamp.slice(3)}`)
  await expect(helena.getByRole('row')).toHaveCount(2)
  await here.getByRole('button', { name: `Editar ${name}` }).click()
  await expect(dialog.getByRole('textbox', { name: 'Valor' })).toHaveValue('12 de maio')
  await dialog.getByRole('combobox', { name: 'Categorias' }).click()
  await helena.getByRole('option', { name: 'Revenda' }).click()
  await helena.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(there).toContainText('Revenda')
  // its address would open it again
  await expect(dialog).toHaveCount(0)
  await inTheDark(helena)
  await helena.reload()
  await expect(here).toContainText('Revenda')
  await expectAccessible(helena)

  await expect(marina.getByRole('button', { name: `Excluir ${name}` })).toHaveCount(0)
  await there.getByRole('button', { name: `Iniciar atendimento com ${name}` }).click()
  await marina.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await marina.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await expect(marina).toHaveURL(/\/tickets\/\d+/)

  await helena.reload()
  await here.getByRole('button', { name: `Excluir ${name}` }).click()
  await expect(dialog).toContainText('O atendimento deste contato e as suas mensagens são excluídos')
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expect(helena.getByText('Nada foi encontrado')).toBeVisible()
})

test('contacts are narrowed by category and by three letters, counted, and an address begins the search', async ({
  people,
}) => {
  const helena = await people.admin({ at: '/contacts/Coutinho' })
  await expect(helena.getByRole('searchbox')).toHaveValue('Coutinho')
  await expect(helena.getByRole('row').filter({ hasText: 'Coutinho' }).first()).toBeVisible()
  await expect(helena.getByRole('row').filter({ hasText: 'Brandão' })).toHaveCount(0)
  await helena.getByRole('searchbox').fill('co')
  await expect(helena.getByRole('row').filter({ hasText: 'Brandão' }).first()).toBeVisible()
  const count = helena.getByRole('heading', { level: 1 }).locator('..').getByRole('status')
  const all = Number.parseInt((await count.textContent())!, 10)
  expect(all).toBeGreaterThanOrEqual(200)
  await helena.getByRole('combobox', { name: 'Categorias' }).click()
  await helena.getByRole('option', { name: 'Revenda' }).click()
  await helena.keyboard.press('Tab')
  await expect.poll(async () => Number.parseInt((await count.textContent())!, 10)).toBeLessThan(all)
  await expect(helena.getByRole('row').nth(1)).toContainText(/Revenda|\+1/)
  await expectAccessible(helena)
  await helena.getByRole('button', { name: 'Categorias de contato' }).click()
  await expect(helena).toHaveURL('/CategoryContact')
  await helena.getByRole('button', { name: 'Voltar para os contatos' }).click()
  await expect(helena).toHaveURL('/contacts')
})

test('who may make no categories is led to the contacts, and who may give none sees them only', async ({
  people,
  world,
}) => {
  const { call, user } = await callsOf(world.url)
  const stamp = Date.now()
  const { id: userAuthorizationId } = await call(permissions.create, {
    body: {
      name: `Sem categorias ${stamp}`,
      allowCreateCategoryContacts: false,
      allowCategorizeContacts: false,
    },
  })
  const email = `dora${stamp}@balcao.test`
  await call(users.create, {
    body: {
      ...{ name: 'Dora Pinho', email, password: PASSWORD, profile: 'user', userAuthorizationId },
      ...{ queueIds: user.queueIds, whatsappId: user.whatsappId },
    },
  })
  const dora = await people.loggedIn(email, { at: '/CategoryContact' })
  await expect(dora).toHaveURL('/contacts')
  await expect(dora.getByRole('button', { name: 'Categorias de contato' })).toBeDisabled()
  await dora
    .getByRole('button', { name: /^Editar/ })
    .first()
    .click()
  await expect(dora.getByText('Seu grupo não permite mudar as categorias.')).toBeVisible()
  await expect(dora.getByRole('dialog').getByLabel('Categorias')).toBeDisabled()
})

test('a short spreadsheet is sent row by row, telling how far it is and what failed; the contacts go out as a file', async ({
  people,
}) => {
  const stamp = Date.now().toString().slice(-7)
  const rows = Array.from({ length: 6 }, (_, at) => `Planilha ${stamp} ${at};551197${stamp}${at}0;`)
  const file = ['Nome;Telefone;E-mail', ...rows, `Errada ${stamp};5,51199E+12;`].join('\n')
  const helena = await people.admin({ at: '/contacts' })
  await helena.getByRole('button', { name: 'Importar' }).click()
  const dialog = helena.getByRole('dialog')
  await expectAccessible(helena)
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(file, 'latin1') })
  const counted = dialog.getByRole('region', { name: 'O que vai acontecer' })
  await expect(counted).toContainText('6contatos novos')
  await expect(counted).toContainText('1linhas recusadas')
  await expect(dialog.getByLabel('Número')).toHaveValue('1')
  await expectAccessible(helena)
  const refused = helena.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Baixar as recusadas' }).click()
  expect((await refused).suggestedFilename()).toBe('recusadas.csv')
  await dialog.getByRole('button', { name: 'Importar 6' }).click()
  await expect(helena.getByText('5 de 7 contatos importados')).toBeVisible()
  await expect(helena.getByText(`Não foi importado: Errada ${stamp}`)).toBeVisible()
  await expect(helena.getByText('6 contatos importados')).toBeVisible()
  await expect(dialog).toBeHidden()
  await helena.getByRole('searchbox').fill(`Planilha ${stamp}`)
  await expect(helena.getByRole('row')).toHaveCount(7)

  // who is known is completed, not renamed, however short the list is
  await helena.getByRole('button', { name: 'Importar' }).click()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'outra.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`nome;numero;email\nOutro nome;551197${stamp}00;nova@cliente.test`),
  })
  await dialog.getByRole('button', { name: 'Importar 1' }).click()
  await expect(dialog.getByText('1 contato importado')).toBeVisible()
  await helena.keyboard.press('Escape')
  const known = helena.getByRole('row').filter({ hasText: 'nova@cliente.test' })
  await expect(known).toContainText(`Planilha ${stamp} 0`)

  await helena.goto('/Settings')
  for (const [button, name] of [
    ['Exportar XLSX', 'contatos.xlsx'],
    ['Exportar CSV', 'contatos.csv'],
    ['Baixar modelo', 'modelo-contatos.xlsx'],
  ] as const) {
    const saved = helena.waitForEvent('download')
    await helena.getByRole('button', { name: button }).click()
    expect((await saved).suggestedFilename()).toBe(name)
  }
})

test('a long spreadsheet is taken by the server while one looks elsewhere, with categories for all', async ({
  people,
}) => {
  const stamp = Date.now().toString().slice(-5)
  const rows = Array.from({ length: 300 }, (_, at) => `Longa ${stamp} ${at},55119${stamp}${1000 + at}`)
  const helena = await people.admin({ at: '/contacts' })
  await helena.getByRole('button', { name: 'Importar' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'longa.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,number', ...rows].join('\n')),
  })
  await dialog.getByRole('combobox', { name: 'Categorias para todos' }).click()
  await helena.getByRole('option', { name: 'Empresa' }).click()
  await helena.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Importar 300' }).click()
  await expect(dialog.getByText('300 contatos importados')).toBeVisible()
  await helena.keyboard.press('Escape')
  await helena.getByRole('searchbox').fill(`Longa ${stamp}`)
  await expect(helena.getByRole('row').nth(1)).toContainText('Empresa')
  await expect(helena.getByRole('heading', { level: 1 }).locator('..').getByRole('status')).toHaveText(/^300/)
})

test('two contacts are made one, also beside a conversation and where they are suggested, and two again', async ({
  people,
  phone,
  world,
}) => {
  const { call } = await callsOf(world.url)
  const stamp = Date.now().toString().slice(-7)
  const [first, second] = [`Dona Irene ${stamp}`, `Irene da Loja ${stamp}`]
  const number = `55719${stamp}8`
  await call(contacts.create, { body: { name: first, number, email: `irene${stamp}@cliente.test` } })
  await phone.write(`55719${stamp}9`, `Tem abajur ${stamp}?`, second)
  const written = () => call(contacts.list, { query: { searchParam: second } })
  await expect.poll(async () => (await written()).contacts[0]?.ticketsCount).toBe(1)
  const ticketId = (await written()).contacts[0]!.tickets[0]!.id
  const helena = await people.admin({ at: `/contacts?search=${stamp}` })
  const rows = helena.getByRole('row')
  await expect(rows).toHaveCount(3)
  const dialog = helena.getByRole('dialog', { name: 'Juntar contatos' })
  const row = (name: string) => rows.filter({ hasText: name })
  const mergeFromList = async () => {
    await row(first)
      .getByRole('button', { name: `Juntar ${first}` })
      .click()
    await dialog.getByLabel('Juntar com').fill(second)
    await helena.getByRole('option', { name: second }).click()
    await expect(dialog.getByText('1 atendimento · 1 mensagem · 0 arquivos')).toBeVisible()
  }
  await mergeFromList()
  await expectAccessible(helena)
  await dialog.getByRole('radiogroup', { name: 'Nome' }).getByText(second).click()
  await dialog.getByRole('button', { name: 'Juntar', exact: true }).click()
  await expect(helena.getByText(`Os contatos agora são um só: ${second}`)).toBeVisible()
  await expect(rows).toHaveCount(2)
  await expect(row(second)).toContainText(`irene${stamp}@cliente.test`)
  await helena.getByRole('button', { name: 'Desfazer' }).click()
  await expect(helena.getByText('Os contatos voltaram a ser dois')).toBeVisible()
  await expect(rows).toHaveCount(3)

  // where they are suggested, and where a merge of today stands
  const shared = { name: `Irene ${stamp}`, number: `719${stamp}8` }
  await call(contacts.create, { body: shared })
  await helena.getByRole('button', { name: 'Repetidos' }).click()
  const doubles = helena.getByRole('dialog', { name: 'Contatos repetidos' })
  await expectAccessible(helena)
  await doubles.getByRole('button', { name: `Juntar ${first} e ${shared.name}` }).click()
  await dialog.getByRole('button', { name: 'Juntar', exact: true }).click()
  await doubles.getByRole('button', { name: `Separar ${shared.name} de ${first}` }).click()
  const again = doubles.getByRole('listitem').filter({ hasText: shared.name })
  await again.getByRole('button', { name: 'São duas pessoas' }).click()
  await expect(again).toHaveCount(0)
  await helena.keyboard.press('Escape')

  // beside a conversation
  await helena.goto(`/tickets/${ticketId}`)
  await compose(helena)
    .or(helena.getByText(`Tem abajur ${stamp}?`))
    .first()
    .waitFor()
  await helena.keyboard.press('Alt+c')
  const beside = helena.getByRole('complementary', { name: 'Contato' })
  await beside.getByRole('button', { name: 'Juntar' }).click()
  await dialog.getByLabel('Juntar com').fill(first)
  await helena.getByRole('option', { name: first }).click()
  await dialog.getByRole('button', { name: 'Juntar', exact: true }).click()
  await expect(helena.getByText(`Os contatos agora são um só: ${second}`)).toBeVisible()
  await expect(beside.getByText(`irene${stamp}@cliente.test`)).toBeVisible()
})
