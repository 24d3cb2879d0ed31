import { contacts } from '@balcao/contract/contacts.ts'
import { type Schedule, schedules } from '@balcao/contract/schedules.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { bubbles, compose, inTouch, newNumber } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { picture } from './samples.ts'
import { expect, test, type World } from './world.ts'

const PATH = '/schedules'
const HOUR = 3_600_000

const rowOf = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
const dialogOf = (page: Page) => page.getByRole('dialog')

async function someone({ url }: World, name: string): Promise<number> {
  const { call } = await callsOf(url)
  return (await call(contacts.create, { body: { name, number: newNumber() } })).id
}

/** Planned through the API, in the admin's name. */
async function planned({ url }: World, contactId: number, fields: object): Promise<Schedule> {
  const { call, user } = await callsOf(url)
  const sendAt = new Date(Date.now() + HOUR).toISOString()
  return call(schedules.create, {
    params: { companyId: user.companyId },
    body: { contactId, body: 'Até amanhã', sendAt, ...fields },
  })
}

test('a message is planned from the conversation, stands in the drawer, and leaves at its time', async ({
  people,
  phone,
  world,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Gilda')
  const helena = await people.admin({ at: PATH })
  await expect(helena.getByRole('heading', { level: 1 })).toBeVisible()
  await compose(marina).click()
  await marina.keyboard.press('Alt+5')
  await expect(dialogOf(marina).getByRole('combobox', { name: 'Contato' })).toHaveValue(name)
  await marina.keyboard.press('Escape')
  await expect(dialogOf(marina)).toBeHidden()

  await marina.keyboard.press('Alt+c')
  const drawer = marina.getByRole('complementary', { name: 'Contato' })
  await drawer.getByRole('button', { name: 'Adicionar Agendamento' }).click()
  await dialogOf(marina).getByLabel('Mensagem', { exact: true }).fill('Oi {{cliente}}, tudo pronto?')
  await expectAccessible(marina)
  await dialogOf(marina).getByRole('button', { name: 'Salvar' }).click()
  await expect(marina.getByText('Agendamento salvo com sucesso')).toBeVisible()
  await expect(drawer.getByRole('button', { name: /tudo pronto/ })).toBeVisible()
  // a colleague's list has it without being asked
  await expect(rowOf(helena, name).getByText('PENDENTE')).toBeVisible()

  const { call, user } = await callsOf(world.url)
  const { schedules: found } = await call(schedules.list, {
    query: { searchParam: 'tudo pronto', status: 'PENDENTE' },
  })
  const { id: scheduleId, contactId, body, queueId, whatsappId } = found[0]!
  await call(schedules.change, {
    params: { scheduleId, companyId: user.companyId },
    body: { contactId, body, queueId, whatsappId, sendAt: new Date(Date.now() - 1_000).toISOString() },
  })
  await expect(bubbles(marina).filter({ hasText: `Oi ${name}, tudo pronto?` })).toBeVisible()
  await expect
    .poll(async () => (await phone.chat(number)).filter(one => one.body.includes('tudo pronto')).length)
    .toBe(1)
  await expect(drawer.getByRole('button', { name: /tudo pronto/ })).toBeHidden()
  await expect(rowOf(helena, name)).toHaveCount(0)
  await helena.getByLabel('Status').selectOption('ENVIADA')
  await expect(rowOf(helena, name).getByText('ENVIADA')).toBeVisible()
})

test('the form says what is missing in the words of the documents, and shows when a series leaves', async ({
  people,
}) => {
  const marina = await people.attendant({ at: `${PATH}/new` })
  const dialog = dialogOf(marina)
  const save = dialog.getByRole('button', { name: 'Salvar' })
  await expect(dialog.getByRole('combobox', { name: 'Contato' })).toBeFocused()
  await save.click()
  for (const missing of ['Selecione um contato', 'O texto não pode ficar vazio'])
    await expect(dialog.getByText(missing)).toBeVisible()
  // the list of the field that has the focus covers none of it
  await expect(marina.getByRole('listbox')).toHaveCount(0)
  const told = (words: string) => marina.getByText(words).first()
  await dialog.getByRole('combobox', { name: 'Contato' }).fill('Ana')
  await marina.getByRole('listbox', { name: 'Contato' }).getByRole('option').first().click()
  await save.click()
  await expect(told('O texto não pode ficar vazio')).toBeVisible()
  const text = dialog.getByLabel('Mensagem', { exact: true })
  await text.fill('Olá')
  await save.click()
  await expect(dialog.getByText('Mensagem muito curta')).toBeVisible()
  await text.fill('Olá!!')
  await save.click()
  await expect(told('O texto não pode ser menor do que 6 caracteres')).toBeVisible()

  await expect(dialog.getByLabel('Repetições')).toBeHidden()
  await dialog.getByLabel('Tipo de agendamento').selectOption('Recorrente Mensal')
  const times = dialog.getByRole('list', { name: 'Próximos envios' }).getByRole('listitem')
  await expect(times).toHaveCount(6)
  await dialog.getByLabel('Repetições').fill('1')
  await expect(times).toHaveCount(2)
  await dialog.getByRole('button', { name: '{{cliente}}' }).click()
  await expect(text).toHaveValue(/\{\{cliente\}\}/)
  await dialog.getByLabel('Tipo de mensagem').selectOption('Mídia')
  await save.click()
  await expect(dialog.getByText('Escolha um arquivo')).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles(picture('convite.png'))
  await expect(dialog.getByText('convite.png')).toBeVisible()
  await save.click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(marina, 'Olá!!').first()).toBeVisible()
})

test('others only copy; what failed says why and is sent again; many are deleted after a question', async ({
  people,
  phone,
  world,
}) => {
  const contactId = await someone(world, 'Hilda')
  const theirs = await planned(world, contactId, { body: 'Do chefe, para copiar' })
  const marina = await people.attendant({ at: PATH })
  const row = marina.locator(`[data-schedule="${theirs.id}"]`)
  await expect(row.getByRole('button', { name: /^Copiar/ })).toBeVisible()
  await expect(row.getByRole('button', { name: /^(Editar|Excluir)/ })).toHaveCount(0)
  await row.getByRole('button', { name: /^Copiar/ }).click()
  await expect(dialogOf(marina).getByLabel('Mensagem', { exact: true })).toHaveValue('Do chefe, para copiar')
  await dialogOf(marina).getByLabel('Mensagem', { exact: true }).fill('Minha cópia daquilo')
  await dialogOf(marina).getByRole('button', { name: 'Salvar' }).click()
  await expect(rowOf(marina, 'Minha cópia daquilo')).toBeVisible()

  await phone.fault('reject')
  const late = await planned(world, contactId, {
    body: 'Recusada',
    sendAt: new Date(Date.now() - 1_000).toISOString(),
  })
  const helena = await people.admin({ at: PATH })
  const failed = helena.locator(`[data-schedule="${late.id}"]`)
  await expect(failed.getByText(/Não enviada/)).toBeVisible()
  await phone.fault('none')
  await failed.getByRole('button', { name: 'Enviar de novo' }).click()
  await expect(failed).toHaveCount(0)

  await marina.getByRole('main').getByRole('button', { name: 'MENU' }).click()
  await expect(marina.getByRole('menuitem', { name: 'Excluir todos os agendamentos' })).toHaveCount(0)
  await marina.getByRole('menuitem', { name: 'Excluir todos os meus agendamentos' }).click()
  await dialogOf(marina).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(rowOf(marina, 'Minha cópia daquilo')).toHaveCount(0)
  await expect(row).toBeVisible()
  await helena.getByRole('main').getByRole('button', { name: 'MENU' }).click()
  await expect(
    helena.getByRole('menuitem', { name: 'Excluir todos os agendamentos', exact: true }),
  ).toBeVisible()
  await helena.keyboard.press('Escape')
})

test('the list shows and offers what the documents name (SCHED-001 … SCHED-019)', async ({
  people,
  phone,
  world,
}) => {
  const { marina, name } = await inTouch(people, phone, 'Jandira')
  const { call } = await callsOf(world.url)
  const found = await call(contacts.list, { query: { searchParam: name } })
  const contactId = found.contacts[0]!.id
  const long =
    'Seu pedido ficou pronto e espera por você na loja do centro até o fim da semana que vem, sem falta.'
  const { id } = await planned(world, contactId, { body: long })
  await marina.getByRole('button', { name: 'Detalhes' }).or(compose(marina)).first().click()
  await marina.keyboard.press('Alt+c')
  await expect(
    marina.getByRole('complementary', { name: 'Contato' }).getByText(`${long.slice(0, 77).trim()}…`),
  ).toBeVisible()

  const helena = await people.admin({ at: PATH })
  const main = helena.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Agendamentos')
  await expect(main.getByLabel('Status').locator('option:checked')).toHaveText('PENDENTE')
  await expect(main.getByRole('columnheader')).toHaveText([
    'Contato',
    'Mensagem',
    'Fila',
    'Conexão',
    'Usuário',
    'Agendamento',
    'Status',
    'Ações',
  ])
  const row = helena.locator(`[data-schedule="${id}"]`)
  await expect(row.getByText(`${long.slice(0, 25)}…`, { exact: true })).toBeVisible()
  await main.getByRole('button', { name: 'MENU' }).click()
  await expect(helena.getByRole('menuitem')).toHaveText([
    'Adicionar agendamento',
    'Excluir meus agendamentos enviados',
    'Excluir todos os meus agendamentos',
    'Excluir todos os agendamentos enviados',
    'Excluir todos os agendamentos',
  ])
  await helena.getByRole('menu').press('Escape')

  await row.getByRole('button', { name: /^Editar/ }).click()
  const dialog = dialogOf(helena)
  await expect(dialog.getByLabel('Tipo de mensagem').locator('option')).toHaveText(['Texto', 'Mídia'])
  await expect(dialog.getByLabel('Tipo de agendamento').locator('option')).toHaveText([
    'Único',
    'Recorrente Semanal',
    'Recorrente Mensal',
  ])
  for (const field of ['Fila', 'Conexão', 'Data de envio'])
    await expect(dialog.getByLabel(field, { exact: true }).first()).toBeVisible()
  const words = dialog.getByLabel('Mensagem', { exact: true })
  await words.fill('Outra conversa, outro texto ')
  await dialog.getByRole('button', { name: /emoji/i }).click()
  await helena.getByRole('button', { name: '😀' }).first().click()
  await expect(words).toHaveValue(/😀/)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(row.getByText('Outra conversa, outro tex…')).toBeVisible()

  await main.getByRole('searchbox').fill('OUTRA CONVERSA')
  await expect(main.getByRole('row')).toHaveCount(2)
  await row.getByRole('button', { name: /^Excluir/ }).click()
  await dialogOf(helena).getByRole('button', { name: 'Excluir', exact: true }).click()
  await expect(helena.getByText('Agendamento excluído com sucesso')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('on a phone and in the dark it is all there', async ({ people, world }) => {
  const contactId = await someone(world, 'Ivone')
  await planned(world, contactId, { body: 'Na mão de quem anda', typeSchedule: 'Recorrente Semanal' })
  const marina = await people.attendant({ viewport: { width: 390, height: 844 } })
  await inTheDark(marina)
  await marina.goto(PATH)
  await expect(marina.getByText('Na mão de quem anda').first()).toBeVisible()
  await expectAccessible(marina)
  expect(await marina.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await marina.goto(`${PATH}/new`)
  await dialogOf(marina).getByLabel('Tipo de agendamento').selectOption('Recorrente Semanal')
  await expect(dialogOf(marina).getByRole('button', { name: 'Salvar' })).toBeVisible()
  await expectAccessible(marina)
})
