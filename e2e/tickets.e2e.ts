import type { Page } from '@playwright/test'
import { compose, newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { expect, test } from './world.ts'

const rowOf = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
const inConversation = (page: Page, name: string, button: string) =>
  page.getByRole('region', { name: `Conversa com ${name}` }).getByRole('button', { name: button })

/** Opens the waiting ticket of a customer and accepts it into a queue. */
async function accept(page: Page, name: string) {
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await rowOf(page, name).click()
  await inConversation(page, name, 'Aceitar').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(compose(page)).toBeVisible()
}

test('a customer writes, an attendant sees it waiting, answers, and the phone’s receipts turn the marks', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Rita ${number.slice(-5)}`
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await phone.write(number, 'Bom dia, vocês abrem no sábado?', name)
  const dotOf = (queue: string) =>
    rowOf(marina, name).getByText(queue).locator('xpath=preceding-sibling::span')
  await expect(dotOf('Sem fila')).toHaveCSS('background-color', 'rgb(124, 124, 124)')
  await accept(marina, name)
  await compose(marina).fill('Abrimos das 9h às 14h.')
  await marina.keyboard.press('Enter')
  const bubble = marina.locator('article', { hasText: 'Abrimos das 9h' })
  const mark = bubble.locator('[data-ack]')
  const drawn = () =>
    mark.evaluate(one => [one.querySelectorAll('path').length, getComputedStyle(one).color] as const)
  await expect(bubble.locator('[data-ack="2"]')).toBeVisible()
  const [, grey] = await drawn()
  // one check, two, and two in colour
  expect(await drawn()).toEqual([1, grey])
  await expect
    .poll(async () =>
      (await phone.chat(number)).filter(message => message.fromMe).map(message => message.body),
    )
    .toEqual(['Abrimos das 9h às 14h.'])
  await phone.receipt(number, 3)
  await expect(bubble.locator('[data-ack="3"]')).toBeVisible()
  expect(await drawn()).toEqual([2, grey])
  await phone.receipt(number, 4)
  await expect(bubble.locator('[data-ack="4"]')).toBeVisible()
  const [checks, colour] = await drawn()
  expect(checks).toBe(2)
  expect(colour).not.toBe(grey)
  // the row says the queue with its colour, which the demo gave to Suporte
  await marina.keyboard.press('Alt+a')
  await expect(dotOf('Suporte')).toHaveCSS('background-color', 'rgb(254, 146, 0)')
})

test('a button that is pressed while the messages come is pressed', async ({ people, phone }) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Ivo ${number.slice(-5)}`
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await phone.write(number, 'Olá!', name)
  const asked = Promise.withResolvers<void>()
  await marina.route('**/messages/*', route => asked.promise.then(() => route.continue()))
  await rowOf(marina, name).click()
  await inConversation(marina, name, 'Aceitar').hover()
  await marina.mouse.down()
  asked.resolve()
  await expect(marina.getByRole('log').getByText('Olá!')).toBeVisible()
  await marina.mouse.up()
  await expect(marina.getByRole('dialog').getByLabel('Fila')).toBeVisible()
})

test('what one attendant does, a colleague sees without reloading', async ({ people, phone }) => {
  const marina = await people.attendant()
  const helena = await people.admin()
  const number = newNumber()
  const name = `Otto ${number.slice(-5)}`
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await phone.write(number, 'Quero trocar um produto', name)
  await expect(rowOf(helena, name)).toBeVisible()
  await accept(marina, name)
  await expect(rowOf(helena, name)).toBeHidden()
  await marina.keyboard.press('Alt+1')
  await expect(marina).toHaveURL(/\/tickets$/)
  await expect(marina.getByText('Escolha um atendimento para começar')).toBeVisible()
  await helena.getByText('Fechados').click()
  await expect(rowOf(helena, name)).toBeVisible()
})

test('who is about to accept is told when a colleague was faster', async ({ people, phone }) => {
  const marina = await people.attendant()
  const caio = await people.loggedIn('caio@balcao.test')
  const number = newNumber()
  const name = `Zeca ${number.slice(-5)}`
  await phone.write(number, 'Alguém aí?', name)
  for (const page of [marina, caio]) {
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await rowOf(page, name).click()
    await inConversation(page, name, 'Aceitar').first().click()
    await page.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Vendas' })
  }
  await marina.getByRole('button', { name: 'Iniciar' }).click()
  await expect(compose(marina)).toBeVisible()
  await expect(caio.getByText('Marina Duarte já está atendendo')).toBeVisible()
  await expect(caio.getByRole('dialog')).toBeHidden()
})

test('a draft stays with its ticket, marks its row, and never returns after sending', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Lia ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await accept(marina, name)
  await compose(marina).fill('Vou ver e já')
  await marina.getByRole('tab', { name: /Atendendo/ }).click()
  await expect(rowOf(marina, name)).toContainText('Rascunho')
  await marina.reload()
  await expect(compose(marina)).toHaveValue('Vou ver e já')
  await marina.keyboard.press('Enter')
  await expect(rowOf(marina, name)).not.toContainText('Rascunho')
  await marina.reload()
  await expect(compose(marina)).toHaveValue('')
  // who gives the ticket back leaves no draft with it, and the window counts it as waiting
  await compose(marina).fill('Deixa para lá')
  const waiting = async () => Number(/Aguardando \((\d+)\)/.exec(await marina.title())?.[1])
  const before = await waiting()
  await marina.keyboard.press('Alt+2')
  await expect.poll(waiting).toBe(before + 1)
  await marina.keyboard.press('Alt+s')
  await expect(rowOf(marina, name)).not.toContainText('Rascunho')
  await accept(marina, name)
  await expect(compose(marina)).toHaveValue('')
  await expect.poll(waiting).toBe(before)
})

test('a message that WhatsApp refuses says so in its place and can be sent again', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Ivo ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await accept(marina, name)
  await phone.fault('reject')
  await compose(marina).fill('Vai falhar')
  await marina.keyboard.press('Enter')
  await expect(marina.getByRole('alert')).toContainText('Não enviada')
  await phone.fault('none')
  await marina.getByRole('button', { name: 'Reenviar' }).click()
  await expect(marina.getByRole('alert')).toBeHidden()
  await expect.poll(async () => (await phone.chat(number)).filter(message => message.fromMe).length).toBe(1)
})

test('a screen that lost its line is right when it is back', async ({ people, phone }) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Gil ${number.slice(-5)}`
  await phone.write(number, 'primeira', name)
  await accept(marina, name)
  await marina.context().setOffline(true)
  await expect(marina.getByText('Sem conexão. Você pode continuar escrevendo.')).toBeVisible()
  await phone.write(number, 'enquanto estava fora')
  await compose(marina).fill('escrita sem linha')
  await marina.keyboard.press('Enter')
  await marina.context().setOffline(false)
  await expect(marina.locator('article', { hasText: 'enquanto estava fora' })).toBeVisible()
})

test('the ticket goes to a colleague with a notice that leads there', async ({ people, phone }) => {
  const marina = await people.attendant()
  const caio = await people.loggedIn('caio@balcao.test')
  const number = newNumber()
  const name = `Noel ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await accept(marina, name)
  await marina.keyboard.press('Escape')
  await inConversation(marina, name, 'Transferir').first().click()
  const dialog = marina.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
  await dialog.getByLabel('Atendente (opcional)').selectOption({ label: 'Caio Ribeiro' })
  await dialog.getByRole('button', { name: 'Transferir' }).click()
  await expect(caio.getByText(`Marina Duarte transferiu um atendimento de ${name}`)).toBeVisible()
  await caio.getByRole('button', { name: 'Visualizar ticket' }).click()
  await expect(caio.getByRole('heading', { name })).toBeVisible()
})

test('a list that could not be had says so, can be tried again, and comes by itself', async ({ people }) => {
  const marina = await people.attendant()
  await marina.route('**/tickets?**', route =>
    route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } }),
  )
  const tried = marina.waitForResponse(answer => answer.status() === 500)
  await marina.reload()
  await tried
  await expect(marina.locator('[data-list] [aria-hidden] > div').first()).toBeVisible()
  await expect(marina.getByRole('alert')).toContainText('A lista não pôde ser carregada')
  await expect(marina.getByRole('alert').getByRole('button', { name: 'Tentar de novo' })).toBeVisible()
  // past the retries of one fetch, which end after 7 s
  await marina.waitForResponse(answer => answer.url().includes('pageNumber=1'))
  await expect.poll(() => marina.evaluate(() => performance.now())).toBeGreaterThan(9_000)
  await marina.unroute('**/tickets?**')
  await expect(marina.locator('[data-ticket]').first()).toBeVisible()
  await expect(marina.getByRole('alert')).toHaveCount(0)
})

test('a finger on the edge of a waiting ticket opens it, and does nothing else', async ({
  people,
  phone,
}) => {
  const helena = await people.admin({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const number = newNumber()
  const name = `Ivone ${number.slice(-5)}`
  await helena.getByRole('tab', { name: /Aguardando/ }).tap()
  await phone.write(number, 'Oi', name)
  const { width } = (await rowOf(helena, name).boundingBox())!
  await rowOf(helena, name).tap({ position: { x: width - 20, y: 16 } })
  await expect(inConversation(helena, name, 'Aceitar').first()).toBeVisible()
})

test('a closed ticket leads to a new one with its contact', async ({ people, phone }) => {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `Olga ${number.slice(-5)}`
  await phone.write(number, 'Oi', name)
  await accept(marina, name)
  await inConversation(marina, name, 'Resolver').click()
  await marina.getByText('Fechados').click()
  await rowOf(marina, name).click()
  await inConversation(marina, name, 'Agendar mensagem').click()
  await expect(marina.getByRole('dialog').getByRole('combobox', { name: 'Contato' })).toHaveValue(name)
  await marina.keyboard.press('Escape')
  await inConversation(marina, name, 'Novo atendimento').click()
  const dialog = marina.getByRole('dialog')
  await expect(dialog.getByLabel('Contato')).toHaveValue(name)
  await dialog.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Iniciar' }).click()
  await expect(compose(marina)).toBeVisible()
})

test('another company sees nothing of it', async ({ people, phone }) => {
  const stranger = await people.stranger()
  const number = newNumber()
  const name = `Segredo ${number.slice(-5)}`
  await stranger.getByRole('tab', { name: /Aguardando/ }).click()
  await phone.write(number, 'Não é da conta deles', name)
  const marina = await people.attendant()
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(rowOf(marina, name)).toBeVisible()
  await expect(rowOf(stranger, name)).toHaveCount(0)
})

for (const theme of ['defaultTheme', 'dracula'])
  test(`the tickets screen stands in nobody’s way in ${theme}`, async ({ people, phone }) => {
    const marina = await people.attendant()
    await marina.evaluate(name => localStorage.setItem('preferredTheme', name), theme)
    const number = newNumber()
    const name = `Ada ${number.slice(-5)}`
    await phone.write(number, 'Olá *mundo* https://exemplo.test', name)
    await marina.reload()
    await accept(marina, name)
    await expectAccessible(marina)
  })

test('the lists that are looked at are joined, and joined again when the line is back (EVENT-023)', async ({
  people,
}) => {
  const marina = await people.visitor()
  const said: string[] = []
  marina.on('websocket', line => line.on('framesent', ({ payload }) => said.push(String(payload))))
  const joins = () =>
    said.filter(frame => frame.includes('"joinTickets"')).map(frame => /"(\w+)"]$/.exec(frame)?.[1])
  await marina.goto('/login')
  await marina.locator('input[type=email]').fill('atendente@balcao.test')
  await marina.locator('input[type=password]').fill('balcao-demo')
  await marina.locator('button[type=submit]').click()
  await expect.poll(() => joins().toSorted()).toEqual(['open', 'pending'])
  await marina.getByText('Fechados').click()
  await expect.poll(joins).toContain('closed')
  said.length = 0
  await marina.reload()
  await expect.poll(joins).toContain('pending')
})

test('on a phone without a ticket the list stands with a hint (TICKET-003)', async ({ people }) => {
  const marina = await people.attendant({ viewport: { width: 390, height: 844 } })
  await expect(marina.getByRole('region', { name: 'Atendimentos' })).toBeVisible()
  await expect(marina.getByText('Escolha um atendimento para começar')).toBeInViewport()
  await marina.locator('[data-ticket]').first().click()
  await expect(marina.getByText('Escolha um atendimento para começar')).toHaveCount(0)
  await expect(marina.getByRole('region', { name: 'Atendimentos' })).toHaveCount(0)
})
