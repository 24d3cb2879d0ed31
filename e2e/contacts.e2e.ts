import { contacts } from '@balcao/contract/contacts.ts'
import type { Page } from '@playwright/test'
import { compose } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

test('a short spreadsheet is sent row by row, telling how far it is and what failed; a long one is taken by the server, with categories for all; the contacts go out as a file [CONTACT-004, CONTACT-020, CONTACT-021, CONTACT-022, CONTACT-023, SETTINGS-001, SETTINGS-002, SETTINGS-003]', async ({
  people,
}) => {
  const stamp = Date.now().toString().slice(-7)
  const rows = Array.from({ length: 6 }, (_, at) => `Planilha ${stamp} ${at};551197${stamp}${at}0;`)
  const file = ['Nome;Telefone;E-mail', ...rows, `Errada ${stamp};5,51199E+12;`].join('\n')
  const helena = await people.admin({ at: '/contacts' })
  await helena.getByRole('button', { name: 'Importar' }).click()
  const dialog = helena.getByRole('dialog')
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
  // after five rows a notice shows how far it is: the sixth waits until it is seen
  const seen = Promise.withResolvers<void>()
  let sent = 0
  await helena.route(`**${contacts.importOne.path}`, async route => {
    if (++sent === 6) await seen.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Importar 6' }).click()
  await expect(helena.getByText('5 de 7 contatos importados')).toBeVisible()
  seen.resolve()
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
  await takeLongOne(helena)

  await helena.goto('/Settings?section=contacts')
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

async function takeLongOne(helena: Page) {
  const stamp = Date.now().toString().slice(-5)
  const rows = Array.from({ length: 300 }, (_, at) => `Longa ${stamp} ${at},55119${stamp}${1000 + at}`)
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
}

test('two contacts are made one, also beside a conversation and where they are suggested, and two again', async ({
  people,
  phone,
  shop,
}) => {
  const { call } = shop
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

  // where merges are suggested, and where today's merge is listed
  const email = `irene${stamp}@cliente.test`
  const shared = { name: `Irene ${stamp}`, number: `55719${stamp}7`, email }
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
