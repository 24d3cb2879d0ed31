import type { Locator, Page } from '@playwright/test'
import { compose, newNumber, sentBy } from './conversation.ts'
import { PASSWORD } from './people.ts'
import { paper } from './samples.ts'
import { expect, test } from './world.ts'

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })
const rowOf = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
const paneOf = (page: Page, name: string) => page.getByRole('region', { name: `Conversa com ${name}` })
const press = (page: Page, key: string) => page.keyboard.press(key)
const type = (page: Page, words: string) => page.keyboard.type(words)

/** By Tab alone, as far as a person would. */
async function reach(page: Page, what: Locator, key = 'Tab') {
  await expect(what).toBeVisible()
  const there = () => what.evaluate(one => one === document.activeElement)
  for (let presses = 0; presses < 60 && !(await there()); presses++) await press(page, key)
  await expect(what).toBeFocused()
}

/** From the list into the conversation, without a pointer: down until it is the one. */
async function open(page: Page, name: string) {
  await expect(rowOf(page, name)).toBeVisible()
  await expect(async () => {
    await press(page, 'Alt+ArrowDown')
    await expect(paneOf(page, name)).toBeVisible({ timeout: 2_000 })
  }).toPass()
}

/** Accepts what is open, in the queue that is typed. */
async function accept(page: Page, queue: string) {
  await press(page, 'Alt+n')
  const field = page.getByRole('dialog').getByLabel('Fila')
  await expect(field).toBeFocused()
  await type(page, queue)
  await press(page, 'Enter')
  await expect(compose(page)).toBeVisible()
}

test('an attendant’s day by the keyboard alone: in, accept, answer, a quick answer, a file, the contact, resolve', async ({
  people,
  phone,
  shop,
}) => {
  const number = newNumber()
  const name = `Zilda ${number.slice(-5)}`
  const page = await people.visitor()
  await page.goto('/login')
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await type(page, shop.attendant)
  await reach(page, page.getByLabel('Senha', { exact: true }))
  await type(page, PASSWORD)
  await press(page, 'Enter')
  await expect(tab(page, /Aguardando/)).toBeVisible()

  await phone.write(number, 'Bom dia!', name)
  await press(page, 'Alt+s')
  await open(page, name)
  await accept(page, 'Sup')
  await reach(page, compose(page))
  await type(page, 'Bom dia, Zilda')
  await press(page, 'Enter')
  await expect.poll(() => sentBy(phone, number)).toEqual(['Bom dia, Zilda'])
  await type(page, '/ent')
  await expect(
    page.getByRole('listbox', { name: 'Respostas rápidas' }).getByRole('option').first(),
  ).toBeVisible()
  await press(page, 'Enter')
  await expect(compose(page)).toHaveValue(/^Oi, /)
  await press(page, 'Enter')
  await expect.poll(async () => (await sentBy(phone, number)).length).toBe(2)

  const chosen = page.waitForEvent('filechooser')
  await reach(page, page.getByRole('button', { name: 'Anexar arquivos' }))
  await press(page, 'Enter')
  await (await chosen).setFiles([paper()])
  await expect(page.getByRole('list', { name: 'Arquivos a enviar' }).getByRole('listitem')).toHaveCount(1)
  await reach(page, compose(page))
  await press(page, 'Enter')
  await expect.poll(async () => (await sentBy(phone, number)).length).toBe(3)

  await press(page, 'Alt+c')
  const drawer = page.getByRole('complementary', { name: 'Contato' })
  const plan = drawer.getByRole('button', { name: 'Adicionar Agendamento' })
  await reach(page, plan)
  await press(page, 'Enter')
  const dialog = page.getByRole('dialog')
  await reach(page, dialog.getByRole('textbox', { name: 'Mensagem' }))
  await press(page, 'Escape')
  await expect(dialog).toBeHidden()
  await expect(plan).toBeFocused()
  await press(page, 'Alt+c')
  await expect(drawer).toBeHidden()

  await press(page, 'Alt+1')
  await expect(page.getByText(`Atendimento de ${name} resolvido`)).toBeVisible()
})

test('an admin by the keyboard alone adds a user, a queue, a tag and a command of a bot', async ({
  people,
}) => {
  const page = await people.loggedIn('admin@balcao.test')
  const stamp = newNumber().slice(-6)
  const dialog = page.getByRole('dialog')
  const strike = async (what: Locator, key = 'Enter') => {
    await reach(page, what)
    await press(page, key)
  }
  const write = async (label: string, words: string) => {
    await reach(page, dialog.getByLabel(label, { exact: true }))
    await press(page, 'Control+a')
    await type(page, words)
  }
  const lead = async (entry: string) => {
    await strike(page.getByRole('button', { name: 'Administração', exact: true }))
    await reach(page, page.getByRole('menuitem', { name: entry, exact: true }), 'ArrowDown')
    await press(page, 'Enter')
  }
  const save = () => strike(dialog.getByRole('button', { name: 'Salvar' }))
  const isListed = (name: string) =>
    expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible()

  await lead('Usuários')
  await strike(page.getByRole('button', { name: 'Adicionar usuário' }))
  await expect(dialog.getByLabel('Nome')).toBeFocused()
  await write('Nome', `Tecla ${stamp}`)
  await write('E-mail', `tecla${stamp}@balcao.test`)
  await write('Senha', PASSWORD)
  await write('Grupo de permissões', 'Oper')
  await write('Conexão padrão', 'Loja C')
  await strike(dialog.getByLabel('Vendas'), 'Space')
  await save()
  await isListed(`tecla${stamp}@balcao.test`)

  await lead('Filas')
  await strike(page.getByRole('button', { name: 'Adicionar fila' }))
  await write('Nome', `Fila ${stamp}`)
  await write('Cor', `#${stamp}`)
  await save()
  await isListed(`Fila ${stamp}`)

  await lead('Etiquetas')
  await strike(page.getByRole('button', { name: 'Adicionar etiqueta' }))
  await write('Nome', `Tecla ${stamp}`)
  await save()
  await isListed(`Tecla ${stamp}`)

  await lead('Bots')
  await strike(page.getByRole('button', { name: 'Ir para os comandos' }).first())
  await strike(page.getByRole('button', { name: 'Adicionar comando' }).first())
  await write('Nome no menu', `Tecla ${stamp}`)
  await write('Mensagem', 'Pelo teclado.')
  await save()
  await expect(page.getByRole('list', { name: 'Comandos' }).getByText(`Tecla ${stamp}`)).toBeVisible()
})
