import { categories, ListedCategory } from '@balcao/contract/categories.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

type Row = ReturnType<typeof stock>[number]
const stock = () =>
  samples(ListedCategory, [
    { id: 1, name: 'Arquiteto', contactsCount: 4 },
    { id: 2, name: 'Padoca' },
  ])
const answering = (rows: Row[]) => (server: Server) =>
  keeping(categories, { as: 'categoryContact', by: 'categoryId', shape: ListedCategory, rows })(server)
    .on(categories.change, ({ params, body }) => {
      const other = rows.find(
        row => row.id !== params.categoryId && row.name.toLowerCase() === body.name?.toLowerCase(),
      )
      if (other) refuse(409, 'ERR_NAME_EXISTS', { field: 'name', details: { categoryId: other.id } })
      return Object.assign(rows.find(({ id }) => id === params.categoryId)!, body)
    })
    .on(categories.merge, ({ params, body }) => {
      rows.splice(
        rows.findIndex(({ id }) => id === params.categoryId),
        1,
      )
      return rows.find(({ id }) => id === body.into)!
    })

test('a category of contacts is added with a colour, found, changed and deleted [ROUTE-035, OP-28, CATEGORY-001, CATEGORY-003, CATEGORY-006]', async () => {
  const page = enter('/CategoryContact', helena, { answers: answering(stock()) })
  expect(await page.find('heading', 'Categorias de contato')).toBeInTheDocument()
  await page.press('Adicionar')
  expect(location.pathname).toBe('/CategoryContact/new')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Nome', 'ab')
  await dialog.press('Salvar')
  await dialog.sees('Mensagem muito curta')
  await dialog.fill('Nome', 'Bairro Norte')
  await dialog.fill('Cor', '#d32f2f')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(location.pathname).toBe('/CategoryContact')
  expect(page.server.asked(categories.create)[0]?.body).toMatchObject({
    name: 'Bairro Norte',
    color: '#d32f2f',
  })

  await page.search('BAIRRO')
  await expect.poll(() => page.words('row').length).toBe(2)
  await page.row('Bairro Norte').press(/Editar/)
  await page.dialog().fill('Nome', 'Bairro Sul')
  await page.dialog().press('Salvar')
  await page.sees('Salvo com sucesso')
  await page.row('Bairro Sul').press(/Excluir/)
  const question = page.dialog()
  await question.sees('Bairro Sul')
  await question.press('Excluir')
  await page.sees('Excluído com sucesso')
  await page.sees('Nada foi encontrado', 'Confira como está escrito ou limpe a busca')
})

test('a category that takes the name of another is refused there, and may become one with it', async () => {
  const page = enter('/CategoryContact', helena, { answers: answering(stock()) })
  await page.row('Padoca').press(/Editar/)
  const dialog = page.dialog()
  await dialog.fill('Nome', 'arquiteto')
  await dialog.press('Salvar')
  await dialog.sees('Já existe um registro com este nome')
  await dialog.press('Juntar com ela')
  await page.dialog('Juntar Padoca').press('Juntar')
  await page.sees('As categorias agora são uma só')
  await page.row('Arquiteto').sees('')
  expect(location.pathname).toBe('/CategoryContact')
})

test('who may make no categories is led to the contacts [CONTACT-003, CONTACT-013, CATEGORY-002]', async () => {
  const dora = butWith(marina, {
    userAuthorization: { allowCreateCategoryContacts: false, allowCategorizeContacts: false },
  })
  const page = enter('/CategoryContact', dora, {
    answers: server => server.on(contacts.list, { contacts: [], hasMore: false, count: 0 }),
  })
  await expect.poll(() => location.pathname).toBe('/contacts')
  expect(await page.find('button', 'Categorias de contato')).toBeDisabled()
})
