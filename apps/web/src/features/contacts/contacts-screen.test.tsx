import { Category, categories } from '@balcao/contract/categories.ts'
import { Contact, contactChannel, contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'
import { liveSocket } from '../../../testing/socket.ts'
import { numberToSend } from './phone.ts'

const labels = samples(Category, [
  { id: 5, name: 'Cliente ouro' },
  { id: 6, name: 'Revenda' },
])
const answering = (rows: Contact[]) => (server: Server) =>
  keeping(contacts, { as: 'contacts', by: 'contactId', shape: Contact, rows })(server)
    .on(categories.all, labels)
    .on(contacts.create, ({ body }) => {
      const made = sample(Contact, { id: 9, name: body.name, number: body.number, email: body.email ?? '' })
      rows.push(made)
      return made
    })
    .on(contacts.categorize, () => rows.at(-1)!)
const stock = () =>
  samples(Contact, [
    {
      id: 1,
      name: 'Ana Coutinho',
      number: '5531990000001',
      categoryContacts: [{ id: 6, name: 'Revenda', color: '#123456' }],
    },
    { id: 2, name: 'Rui Brandão', number: '5531990000002', ticketsCount: 1, tickets: [{ id: 41 }] },
  ])

test('on a phone a contact is two lines with a menu, and the filter and rarer actions are behind a button', async () => {
  const page = enter('/contacts', helena, { answers: answering(stock()), width: 390 })
  await page.sees('Ana Coutinho', '+55 31 99000-0001')
  expect(page.maybe('columnheader', 'E-mail')).toBeNull()
  await page.press('Ações de Ana Coutinho')
  await page.find('menuitem', 'Excluir Ana Coutinho')
  await page.user.click(await page.find('menuitem', 'Editar Ana Coutinho'))
  await page.dialog('Editar contato').field('Nome')
  const again = enter('/contacts', helena, { answers: answering(stock()), width: 390 })
  await again.press('Filtros e ações')
  await again.press('Importar')
  await again.find('dialog', /Importar/)
})

test('a contact is added with its categories and what else is known; a number without its country, or none, is said [CONTACT-005, CONTACT-006, CONTACT-007, CONTACT-008, CONTACT-009, CONTACT-011, CONTACT-024]', async () => {
  const rows = stock()
  const page = enter('/contacts', helena, { answers: answering(rows) })
  await page.press('Adicionar contato')
  const dialog = page.dialog()
  await dialog.press('Salvar')
  await dialog.sees('Obrigatório')
  await dialog.fill('Nome', 'Zélia Sá')
  await dialog.fill('Número', '5,51199E+12')
  await dialog.press('Salvar')
  await dialog.sees('Número em notação científica')
  await dialog.fill('Número', '71 9 98765432')
  await dialog.sees('+55 71 99876-5432, Brasil')
  await dialog.fill('E-mail', 'zelia')
  await dialog.choose('Categorias', 'Cliente ouro')
  await page.user.keyboard('{Tab}')
  await dialog.press('Adicionar informação')
  await dialog.fill('Informação', 'Aniversário')
  await dialog.fill('Valor', '12 de maio')
  await dialog.press('Salvar')
  await dialog.sees('Invalid email')
  await dialog.fill('E-mail', 'zelia@cliente.test')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(page.server.asked(contacts.create)[0]?.body).toMatchObject({
    ...{ name: 'Zélia Sá', number: '5571998765432', country: 'BR', email: 'zelia@cliente.test' },
    extraInfo: [{ name: 'Aniversário', value: '12 de maio' }],
  })
  await expect.poll(() => page.server.asked(contacts.categorize)[0]?.body.categoryContacts).toEqual([5])
  await page.row('Zélia').sees('+55 71 99876-5432')
})

test('of a number that could be at home or abroad the country is asked, and sent with its digits [CONTACT-012]', async () => {
  const page = enter('/contacts', helena, { answers: answering(stock()) })
  await page.press('Adicionar contato')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Zélia Sá')
  await dialog.fill('Número', '51987654321')
  await dialog.sees('De que país é este número?', '+55 51 98765-4321, Brasil')
  await dialog.press('+51 987 654 321, Peru')
  await dialog.lacks('De que país é este número?')
  await dialog.press('Salvar')
  await page.sees('Criado com sucesso')
  expect(page.server.asked(contacts.create)[0]?.body).toMatchObject({ number: '51987654321', country: 'PE' })
})

test('the country that was written stays stated, also where no numbering plan knows the number', () => {
  expect(numberToSend('+999 12345678', 'BR')).toEqual({ number: '+99912345678' })
  expect(numberToSend('00999 12345678', 'BR')).toEqual({ number: '+99912345678' })
  expect(numberToSend('98765-4321', 'BR')).toEqual({ number: '987654321' })
  expect(numberToSend('(+51) 987 654 321', 'BR')).toEqual({ number: '51987654321', country: 'PE' })
})

test('a contact is changed as a colleague sees it, and deleted with its tickets after a question; an attendant deletes none [CONTACT-005, CONTACT-006, CONTACT-007, CONTACT-008, CONTACT-009, CONTACT-011, CONTACT-024]', async () => {
  const rows = stock()
  const page = enter('/contacts', helena, { answers: answering(rows) })
  rows[0]!.name = 'Ana Prado'
  await page.row('Ana').sees('')
  page.server.push(contactChannel, { action: 'update', contact: rows[0]! })
  await page.row('Ana Prado').sees('Revenda')
  await page.press('Excluir Rui Brandão')
  await page.dialog().sees('O atendimento deste contato e as suas mensagens são excluídos')
  await page.dialog().press('Excluir')
  await page.lacks('Rui Brandão')
  const other = enter('/contacts', marina, { answers: answering(stock()) })
  await other.find('button', 'Iniciar atendimento com Rui Brandão')
  expect(other.maybe('button', /^Excluir/)).toBeNull()
})

test('contacts are narrowed by category and by three letters, counted, and an address begins the search [ROUTE-013, CONTACT-001, CONTACT-002, CONTACT-003, CONTACT-018, CONST-002, OP-83, OP-84, CATEGORY-001]', async () => {
  const page = enter('/contacts/Coutinho', helena, { answers: answering(stock()) })
  expect(await page.find('searchbox')).toHaveValue('Coutinho')
  await page.row('Ana Coutinho').sees('')
  await page.lacks('Brandão')
  await page.search('co')
  await page.row('Brandão').sees('')
  expect(page.server.asked(contacts.list).map(({ query }) => query.searchParam ?? '')).not.toContain('co')
  await page.sees(/2 contatos|2 registros|2/)
  await page.choose('Categorias', 'Revenda')
  await expect
    .poll(() => page.server.asked(contacts.list).at(-1)?.query.selectedContactCategories)
    .toEqual([6])
  await page.user.keyboard('{Escape}')
  await page.press('Categorias de contato')
  await expect.poll(() => location.pathname).toBe('/CategoryContact')
  page.server.complaints.length = 0
})

test('what a colleague gave or wrote while one edits a contact is neither taken away nor written over', async () => {
  const rows = stock()
  const page = enter('/contacts', helena, { answers: answering(rows) })
  await page.press('Editar Ana Coutinho')
  await page.dialog().fill('Nome', 'Ana Prado')
  const given = { id: 5, name: 'Cliente ouro', color: '#123456' }
  const extraInfo = [{ id: 1, name: 'CPF', value: '1' }]
  rows[0] = { ...rows[0]!, extraInfo, categoryContacts: [...rows[0]!.categoryContacts, given] }
  const shown = page.server.asked(contacts.show).length
  await act(async () => {
    liveSocket.breaks()
    liveSocket.connect()
  })
  await expect.poll(() => page.server.asked(contacts.show).length).toBeGreaterThan(shown)
  await page.row('Ana').sees('Cliente ouro')
  await page.dialog().press('Salvar')
  await page.sees('Salvo com sucesso')
  expect(page.server.asked(contacts.change)[0]!.seen).toMatchObject({ extraInfo: [] })
  expect(page.server.asked(contacts.categorize)).toEqual([])

  await page.press('Editar Ana Prado')
  await page.dialog().press('Tirar Revenda')
  await page.dialog().press('Salvar')
  await expect.poll(() => page.server.asked(contacts.categorize)[0]?.body.categoryContacts).toEqual([5])
})

test('a step back that is asked about keeps what is written, also after a search', async () => {
  const page = enter('/contacts', helena, { answers: answering(stock()) })
  await page.row('Rui').sees('')
  await page.search('ana')
  await expect.poll(() => location.search).toBe('?search=ana')
  await page.press('Editar Ana Coutinho')
  await page.dialog().fill('Nome', 'Ana Prado')
  await page.dialog().sees('Não salvo')
  history.back()
  await page.dialog('Sair sem salvar?').sees('')
  await expect.poll(() => location.search).toContain('edit=1')
  await page.dialog('Sair sem salvar?').press('Cancelar')
  expect(await page.dialog().field('Nome')).toHaveValue('Ana Prado')
  history.back()
  await page.dialog('Sair sem salvar?').press('Sair sem salvar')
  await page.closed()
  expect(location.search).toBe('?search=ana')
})

test('who may give no categories sees them only', async () => {
  const dora = butWith(marina, { userAuthorization: { allowCategorizeContacts: false } })
  const page = enter('/contacts', dora, { answers: answering(stock()) })
  await page.press('Editar Ana Coutinho')
  await page.sees('Seu grupo não permite mudar as categorias.')
  expect(await page.dialog().field('Categorias')).toBeDisabled()
})

test('an admin exports all that is known of one person; an attendant is not offered it', async () => {
  const answers = (server: Server) =>
    answering(stock())(server).on(contacts.data, () => refuse(404, 'ERR_NO_CONTACT_FOUND'))
  const page = enter('/contacts', helena, { answers })
  await page.sees('Rui Brandão')
  await page.press('Exportar os dados de Rui Brandão')
  await page.find('alert')
  expect(page.server.asked(contacts.data)[0]?.params).toEqual({ contactId: 2 })
  const other = enter('/contacts', marina, { answers: answering(stock()) })
  await other.sees('Rui Brandão')
  expect(other.all('button', 'Exportar os dados de Rui Brandão')).toEqual([])
})

test('a contact is attended from the list: in a queue, and its conversation opens', async () => {
  const here = counter(ticketOf('Rui Brandão', { id: 50, contactId: 2 }, marina))
  const page = enter('/contacts', marina, {
    answers: server => answering(stock())(here.answers(server)).on(tickets.open, () => here.ticket),
  })
  await page.press('Iniciar atendimento com Rui Brandão')
  const dialog = page.dialog('Novo atendimento')
  expect(await dialog.field('Contato')).toHaveValue('Rui Brandão')
  await dialog.choose('Fila', 'Vendas')
  await dialog.press('Iniciar')
  await expect.poll(() => location.pathname).toBe('/tickets/50')
  expect(page.server.asked(tickets.open)[0]?.body).toMatchObject({ contactId: 2, queueId: 2 })
})
