import { contacts } from '@balcao/contract/contacts.ts'
import { callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { expect, test } from './world.ts'

test('who starts a conversation is told what is missing, what failed, and who waits already (ERR-028)', async ({
  people,
  phone,
  world,
}) => {
  const number = newNumber()
  const name = `Ivone ${number.slice(-5)}`
  const marina = await people.attendant()
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await phone.write(number, 'Oi', name)
  await expect(marina.locator('[data-ticket]').filter({ hasText: name })).toBeVisible()
  const dialog = marina.getByRole('dialog')
  const contact = dialog.getByRole('combobox', { name: 'Contato' })
  const choose = async (words: string) => {
    await contact.fill(words)
    // not the entry that adds somebody of that name
    await dialog.getByRole('option', { name: new RegExp(`^${words}`) }).click()
  }
  await marina.getByRole('button', { name: 'Novo atendimento' }).click()
  await marina.route('**/contacts?*', route => route.fulfill({ status: 500, body: '{}' }))
  await contact.fill(name)
  await expect(marina.getByText('Falha na busca de contatos').first()).toBeVisible()
  await marina.unroute('**/contacts?*')

  const { call } = await callsOf(world.url)
  const other = `Olga ${number.slice(-5)}`
  await call(contacts.create, { body: { name: other, number: newNumber() } })
  await choose(other)
  await dialog.getByLabel('Fila').selectOption('')
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(marina.getByText('Selecione uma fila').first()).toBeVisible()

  await choose(name)
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(marina.getByText('Este contato já estava na fila aguardando atendimento')).toBeVisible()
  await expect(marina.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
})

test('a connection needs its kind, an empty bell says so, the dashboard has its words, and a fault without words has some (ERR-028)', async ({
  people,
}) => {
  const stranger = await people.stranger()
  await stranger.getByRole('button', { name: /^Notificações/ }).click()
  await expect(stranger.getByText('Nenhuma notificação.')).toBeVisible()

  const helena = await people.admin({ at: '/connections' })
  await helena.getByRole('button', { name: 'Adicionar conexão' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome', { exact: true }).fill('Sem tipo')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Selecione um tipo de conexão')).toBeVisible()

  await helena.goto('/dash')
  await expect(helena.getByRole('button', { name: 'Filtrar' })).toBeVisible()
  for (const words of ['TMA', 'TME'])
    await expect(helena.getByText(words, { exact: true }).first()).toBeVisible()

  await helena.goto('/quickAnswers/new')
  await helena.route('**/quickAnswers', route => route.fulfill({ status: 500, body: '{}' }))
  await dialog.getByLabel('Atalho').fill('lua')
  await dialog.getByLabel('Mensagem').fill('A lua nova nasce cedo.')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('An error occurred!')).toBeVisible()
})
