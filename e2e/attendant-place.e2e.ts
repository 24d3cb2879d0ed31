import { contacts } from '@balcao/contract/contacts.ts'
import { queues } from '@balcao/contract/queues.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { compose, inTouch, newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import type { Phone } from './phone.ts'
import { expect, test } from './world.ts'

const rowOf = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })

test('a reload and the way back lead to the same tab, queues, search and scroll', async ({ people }) => {
  const page = await people.admin({ viewport: { width: 390, height: 844 } })
  await page.getByText('Fechados', { exact: true }).click()
  await expect(page.locator('[data-list=closed] [data-ticket]').first()).toBeVisible()
  const list = page.locator('[data-list=closed]')
  await list.evaluate(box => {
    box.scrollTop = 1_600
  })
  const row = list.locator('[data-ticket]').nth(8)
  await row.click()
  await expect(page).toHaveURL(/tickets\/\d+$/)
  await page.goBack()
  await expect.poll(() => list.evaluate(box => box.scrollTop)).toBeGreaterThan(1_400)
  await page.reload()
  await expect.poll(() => list.evaluate(box => box.scrollTop)).toBeGreaterThan(1_400)
  await page.getByRole('button', { name: 'Filas e ordem' }).click()
  await page.getByRole('checkbox', { name: 'Sem fila' }).click()
  await expect(page.getByRole('checkbox', { name: 'Sem fila' })).toBeChecked()
  await page.keyboard.press('Escape')
  await page.getByText('Busca', { exact: true }).click()
  await page.getByLabel('Nome, número, protocolo ou texto').fill('a')
  await page.getByRole('button', { name: 'Buscar' }).click()
  await page.reload()
  await expect(page.getByLabel('Nome, número, protocolo ou texto')).toHaveValue('a')
  await page.getByRole('button', { name: 'Filas e ordem' }).click()
  await expect(page.getByRole('checkbox', { name: 'Sem fila' })).toBeChecked()
})

test('what was resolved by mistake is back with one press, with its draft, and the next one is offered', async ({
  people,
  phone,
}) => {
  const other = newNumber()
  await phone.write(other, 'Também espero', `Outra ${other.slice(-5)}`)
  const { marina, name } = await inTouch(people, phone, 'Mara')
  await expect(marina.getByText(`Atendimento de ${name} aceito`)).toBeVisible()
  await expect(marina.getByRole('button', { name: /^Próximo: / })).toBeVisible()
  await compose(marina).fill('quase pronto')
  await marina.keyboard.press('Alt+1')
  await expect(marina.getByText(`Atendimento de ${name} resolvido`)).toBeVisible()
  await expect(tab(marina, /Aguardando/)).toHaveAttribute('aria-selected', 'true')
  await marina.getByRole('button', { name: 'Desfazer' }).click()
  await expect(compose(marina)).toHaveValue('quase pronto')
})

test('the rows stay under the pointer while others write, and a pill tells how many are new', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const [first, second] = [newNumber(), newNumber()]
  await tab(marina, /Aguardando/).click()
  await phone.write(first, 'Estou aqui', `Fixa ${first.slice(-5)}`)
  const row = rowOf(marina, `Fixa ${first.slice(-5)}`)
  await row.hover()
  const before = (await row.boundingBox())!.y
  await phone.write(second, 'Cheguei', `Nova ${second.slice(-5)}`)
  const pill = marina.getByRole('button', { name: '1 novo' })
  await expect(pill).toBeVisible()
  expect((await row.boundingBox())!.y).toBe(before)
  // on its way to the pill the pointer does not leave the list
  await pill.hover()
  await pill.click()
  await expect(rowOf(marina, `Nova ${second.slice(-5)}`)).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('both lists of open tickets are kept: Alt+A and Alt+S show them without asking, as they are by now', async ({
  people,
  phone,
  world,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Ruth')
  await marina.getByText('Fechados', { exact: true }).click()
  await expect(marina.locator('[data-list=closed] [data-ticket]').first()).toBeVisible()
  await marina.route(/\/tickets\?/, route => route.abort())
  await marina.keyboard.press('Escape')
  await marina.keyboard.press('Alt+a')
  await expect(tab(marina, /Atendendo/)).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(marina, name)).toBeVisible()
  const waiting = newNumber()
  await phone.write(waiting, 'Cheguei', `Dina ${waiting.slice(-5)}`)
  await marina.keyboard.press('Alt+s')
  await expect(rowOf(marina, `Dina ${waiting.slice(-5)}`)).toBeVisible()
  await marina.keyboard.press('Alt+a')
  // a contact's new name stands wherever his ticket does
  const { call } = await callsOf(world.url)
  const { contacts: found } = await call(contacts.list, { query: { searchParam: number } })
  const renamed = `Rute ${number.slice(-5)}`
  await call(contacts.change, { params: { contactId: found[0]!.id }, body: { name: renamed } })
  await expect(rowOf(marina, renamed)).toBeVisible()
  await expect(marina.getByRole('heading', { name: renamed })).toBeVisible()
  await expect(marina.getByText(name, { exact: true })).toHaveCount(0)
})

test('a list can be sorted by who waits longest, and the choice is kept', async ({ people, phone }) => {
  const marina = await people.attendant()
  const number = newNumber()
  await phone.write(number, 'Acabei de chegar', `Tarde ${number.slice(-5)}`)
  await tab(marina, /Aguardando/).click()
  await expect(marina.locator('[data-ticket]').first()).toContainText(`Tarde ${number.slice(-5)}`)
  await marina.getByRole('button', { name: 'Filas e ordem' }).click()
  await marina.getByRole('combobox', { name: 'Ordem', exact: true }).selectOption('waiting')
  await marina.keyboard.press('Escape')
  await expect(marina.locator('[data-ticket]').first()).not.toContainText(`Tarde ${number.slice(-5)}`)
  await marina.reload()
  await expect(marina.locator('[data-ticket]').first()).toBeVisible()
  await expect(marina.locator('[data-ticket]').first()).not.toContainText(`Tarde ${number.slice(-5)}`)
})

test('a search shows and marks in the row what it found, and says whose the last words are', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone, 'Iara')
  await phone.write(number, 'perdi o guarda-roupa cinzento ontem')
  await phone.write(number, 'e mais nada')
  await compose(marina).fill('Vou ver')
  await marina.keyboard.press('Enter')
  await tab(marina, /Atendendo/).click()
  await expect(rowOf(marina, name)).toContainText('Você: Vou ver')
  const helena = await people.admin()
  await helena.keyboard.press('/')
  await helena.keyboard.type('cinzento')
  await expect(helena.getByLabel('Nome, número, protocolo ou texto')).toHaveValue('cinzento')
  await helena.keyboard.press('Enter')
  await expect(rowOf(helena, name).locator('mark')).toHaveText('cinzento')
  await helena.getByLabel('Nome, número, protocolo ou texto').fill(name)
  await helena.keyboard.press('Enter')
  await expect(rowOf(helena, name)).toContainText('Marina: Vou ver')
})

test('the keyboard is not lost while a dialog comes: a contact is found and chosen by it alone', async ({
  people,
  phone,
}) => {
  const number = newNumber()
  const name = `Quiteria ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  const marina = await people.attendant()
  const gate = Promise.withResolvers<void>()
  await marina.route('**/assets/new-ticket*.js', async route => {
    await gate.promise
    await route.continue()
  })
  await marina.keyboard.press('Alt+n')
  await marina.keyboard.type(name)
  gate.resolve()
  const field = marina.getByRole('combobox', { name: 'Contato', exact: true })
  await expect(field).toHaveValue(name)
  await expect(marina.getByRole('option', { name }).first()).toBeVisible()
  await marina.keyboard.press('ArrowDown')
  await marina.keyboard.press('ArrowUp')
  await marina.keyboard.press('Enter')
  await expect(marina.getByRole('button', { name: 'Iniciar' })).toBeEnabled()
  await marina.keyboard.press('Escape')
  await marina.keyboard.press('?')
  await expect(marina.getByRole('dialog', { name: 'Atalhos do teclado' })).toBeVisible()
  await expectAccessible(marina)
  await marina.keyboard.press('Escape')
  await marina.keyboard.press('Alt+s')
  await expect(tab(marina, /Aguardando/)).toHaveAttribute('aria-selected', 'true')
  await marina.keyboard.press('Alt+ArrowDown')
  await expect(marina).toHaveURL(/tickets\/\d+$/)
  const first = marina.url()
  await marina.keyboard.press('Alt+ArrowDown')
  await expect(marina).not.toHaveURL(first)
  await marina.keyboard.press('Alt+ArrowUp')
  await expect(marina).toHaveURL(first)
})

test('Enter on a question of deletion deletes nothing; the knob of a switch that is on stands right', async ({
  people,
  phone,
}) => {
  const helena = await people.admin()
  const number = newNumber()
  const name = `Vera ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await tab(helena, /Aguardando/).click()
  await rowOf(helena, name).click()
  await expect(helena.getByRole('heading', { name })).toBeVisible()
  await helena.keyboard.press('Alt+4')
  const dialog = helena.getByRole('dialog')
  await expect(dialog).toContainText(name)
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await helena.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(rowOf(helena, name)).toBeVisible()
  const all = helena.getByRole('switch', { name: 'Todos' })
  await helena.keyboard.press('Alt+z')
  await expect(all).toBeChecked()
  const on = helena.locator('.mantine-Switch-root').filter({ has: all })
  const middle = async (part: string) => {
    const box = (await on.locator(part).boundingBox())!
    return box.x + box.width / 2
  }
  await expect
    .poll(async () => (await middle('.mantine-Switch-thumb')) - (await middle('.mantine-Switch-track')))
    .toBeGreaterThan(3)
  await helena.keyboard.press('Alt+z')
  await expect(all).not.toBeChecked()
})

test('a slow ticket shows at once who it is with', async ({ people, phone }) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Lenta ${number.slice(-5)}`
  await tab(marina, /Aguardando/).click()
  await phone.write(number, 'Oi', name)
  const gate = Promise.withResolvers<void>()
  await marina.route('**/messages/**', async route => {
    await gate.promise
    await route.continue()
  })
  await rowOf(marina, name).click()
  await expect(marina.getByRole('heading', { name })).toBeVisible()
  gate.resolve()
  await expect(marina.getByRole('log').getByText('Oi')).toBeVisible()
})

test('handing on says why there is nobody to choose', async ({ people, phone }) => {
  const { marina } = await inTouch(people, phone, 'Rosa')
  await marina.route('**/users/list*', route => route.fulfill({ status: 400, json: {} }))
  await marina.route('**/whatsapp', route => route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } }))
  await marina.keyboard.press('Escape')
  await marina.keyboard.press('Alt+3')
  await expect(marina.getByRole('dialog')).toContainText('Não foi possível carregar os usuários')
  await marina.keyboard.press('Escape')
  await marina.route('**/users/list*', route => route.fulfill({ json: [] }))
  await marina.keyboard.press('Alt+3')
  const dialog = marina.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
  await expect(dialog.getByRole('status')).toContainText('Ninguém atende esta fila')
  await expect(dialog.getByRole('button', { name: 'Transferir para aguardar' })).toBeVisible()
})

test('a refusal of the login stands at its form; the button of the password says what it does', async ({
  people,
}) => {
  const page = await people.visitor()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('ninguem@balcao.test')
  await page.getByLabel('Senha', { exact: true }).fill('errada')
  await page.getByRole('button', { name: 'Mostrar senha' }).click()
  await expect(page.getByRole('button', { name: 'Ocultar senha' })).toBeVisible()
  await page.getByRole('button', { name: 'Acessar' }).click()
  await expect(page.locator('form').getByRole('alert')).toHaveText('E-mail ou senha incorretos')
  await expectAccessible(page)
})

test('a list that is longer than the bell scrolls, and its count says how many wait to be read', async ({
  people,
  phone,
}) => {
  const helena = await people.admin()
  for (let i = 0; i < 12; i++) {
    const number = newNumber()
    await phone.write(number, 'Oi', `Fila ${number.slice(-5)}`)
  }
  const bell = helena.getByRole('button', { name: /^Notificações: \d+/ })
  await bell.click()
  const box = helena.getByRole('dialog', { name: 'Notificações' })
  await expect.poll(() => box.getByRole('button').count()).toBeGreaterThanOrEqual(12)
  expect(await box.evaluate(it => it.scrollHeight > it.clientHeight)).toBe(true)
  // the last of them may come between two looks
  await expect
    .poll(async () => {
      const said = (await bell.getAttribute('aria-label'))!.match(/\d+/)![0]
      return (await box.getByRole('button').count()) - Number(said)
    })
    .toBe(0)
})

/** A waiting ticket with a tag that no other has. */
async function ownTicket(phone: Phone, url: string) {
  const { call } = await callsOf(url)
  const number = newNumber()
  const name = `Zuleica ${number.slice(-5)}`
  await phone.write(number, 'Olá!', name)
  const query = { tab: 'search' as const, searchParam: name }
  await expect.poll(async () => (await call(tickets.list, { query })).count).toBe(1)
  const [ticket] = (await call(tickets.list, { query })).tickets
  const tag = await call(tags.create, { body: { name: `Caso ${number.slice(-5)}` } })
  const params = { ticketId: ticket!.id }
  await call(tickets.syncTags, { body: { ...params, tags: [tag.id] } })
  return { call, name, number, tag, params }
}

test('a search is narrowed by contact, attendant, tag, category and period, and is the same after a reload', async ({
  people,
  phone,
  world,
}) => {
  const { call, name, tag } = await ownTicket(phone, world.url)
  const helena = await people.admin()
  await helena.getByText('Busca', { exact: true }).click()
  await helena.getByRole('button', { name: 'Filtros' }).click()
  const filters = helena.getByRole('region', { name: 'Filtros' })
  // thirty days until now, as Brazil writes it
  await expect(filters.getByRole('button', { name: 'Abertos desde' })).toHaveText(
    /^\d\d\/\d\d\/\d{4} \d\d:\d\d$/,
  )
  await expect(filters.getByRole('button', { name: 'Abertos até' })).toHaveText('agora')
  await expectAccessible(helena)
  const asked: string[] = []
  helena.on('request', request => asked.push(request.url()))
  const contact = filters.getByRole('combobox', { name: 'Contato', exact: true })
  await contact.fill(name.slice(0, 2))
  await expect(helena.getByRole('listbox', { name: 'Contato', exact: true })).toContainText(
    'Escreva ao menos 3 letras',
  )
  await contact.fill(name)
  await helena.getByRole('option', { name }).click()
  expect(asked.filter(url => url.includes('/contacts'))).toHaveLength(1)
  await filters.getByRole('combobox', { name: 'Etiquetas' }).click()
  await helena.getByRole('option', { name: tag.name }).click()
  await helena.keyboard.press('Escape')
  const search = helena.getByRole('button', { name: 'Buscar', exact: true })
  await search.click()
  const rows = helena.locator('[data-list=search] [data-ticket]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(name)
  // nobody put this contact into a category
  await filters.getByRole('combobox', { name: 'Categorias do contato' }).click()
  await helena.getByRole('option', { name: 'Arquiteto' }).click()
  await helena.keyboard.press('Escape')
  await search.click()
  await expect(rows).toHaveCount(0)
  await filters.getByRole('combobox', { name: 'Categorias do contato' }).press('Backspace')
  await search.click()
  await expect(rows).toHaveCount(1)

  await helena.reload()
  await expect(rows).toContainText(name)
  await helena.getByRole('button', { name: 'Filtros: 2 ativos' }).click()
  await expect(contact).toHaveValue(name)
  await filters.getByRole('combobox', { name: 'Atendente' }).fill('marina')
  await helena.getByRole('option', { name: /Marina/ }).click()
  await search.click()
  await expect(helena.getByText('Nada foi encontrado')).toBeVisible()
  await expect(helena.getByRole('button', { name: 'Buscar em todo o período' })).toBeVisible()
  await filters.getByRole('button', { name: 'Limpar filtros' }).click()
  await search.click()
  await expect(rows.nth(2)).toBeVisible()
  // a tag that is gone narrows nothing any more
  await filters.getByRole('combobox', { name: 'Etiquetas' }).click()
  await helena.getByRole('option', { name: tag.name }).click()
  await helena.keyboard.press('Escape')
  await expect(helena.getByRole('button', { name: 'Filtros: 1 ativo' })).toBeVisible()
  await call(tags.remove, { params: { tagId: tag.id } })
  await expect(helena.getByRole('button', { name: 'Filtros', exact: true })).toBeVisible()
  await search.click()
  await expect(rows.nth(2)).toBeVisible()
})

test('an admin resolves all that a filter holds, after writing the word exactly; an attendant has no such button', async ({
  people,
  phone,
  world,
}) => {
  const { call, number, params } = await ownTicket(phone, world.url)
  const body = { name: `Setor ${number.slice(-5)}`, color: `#${number.slice(-6)}` }
  const queue = await call(queues.create, { body })
  await call(tickets.change, { params, body: { transf: true, queueId: queue.id } })
  const open = (page: Page) => page.getByRole('button', { name: 'Resolver vários' })
  await expect(open(await people.attendant())).toBeHidden()
  const helena = await people.admin()
  await open(helena).click()
  const dialog = helena.getByRole('dialog')
  await expect(dialog.getByText(/serão resolvidos/)).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Filas' }).click()
  await helena.getByRole('option', { name: queue.name }).click()
  await helena.keyboard.press('Escape')
  await expect(dialog.getByText('1 atendimento será resolvido')).toBeVisible()
  await expectAccessible(helena)
  const word = dialog.getByLabel('Para confirmar, escreva Resolver')
  const confirm = dialog.getByRole('button', { name: 'Resolver', exact: true })
  for (const wrong of ['', 'resolver', 'RESOLVER', 'Resolve']) {
    await word.fill(wrong)
    await expect(confirm).toBeDisabled()
  }
  await word.fill('Resolver')
  await word.press('Enter')
  await expect(helena.getByText('1 atendimento resolvido')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect((await call(tickets.show, { params })).status).toBe('closed')
})
