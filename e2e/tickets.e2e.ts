import type { Page } from '@playwright/test'
import { compose, newNumber } from './conversation.ts'
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

test('a customer writes, an attendant sees it waiting, answers, and the phone’s receipts turn the marks [GEN-002, ROUTE-011, TICKET-008, TICKET-029, TSTATE-004, MSG-001, MSG-002, MSG-003]', async ({
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
  // the row shows the queue in its color, which the demo gave to Suporte
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

test('what one attendant does a colleague sees without reloading: who was faster, and the ticket that is handed on [TSTATE-012, TSTATE-014, TSTATE-021, TSTATE-046, LIVE-006, LIVE-007, LIVE-015, CONV-005, CONST-006, OP-06]', async ({
  people,
  phone,
}) => {
  const marina = await people.attendant()
  const caio = await people.colleague()
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
  await expect(rowOf(caio, name)).toBeHidden()

  await inConversation(marina, name, 'Transferir').first().click()
  const dialog = marina.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
  const attendant = dialog.getByLabel('Atendente (opcional)')
  const caios = attendant.getByRole('option', { name: /^Caio Ribeiro · online/, includeHidden: true })
  await attendant.selectOption(await caios.getAttribute('value'))
  await dialog.getByRole('button', { name: 'Transferir' }).click()
  await expect(caio.getByText(`Marina Duarte transferiu um atendimento de ${name}`)).toBeVisible()
  await caio.getByRole('button', { name: 'Visualizar ticket' }).click()
  await expect(compose(caio)).toBeVisible()
  await inConversation(caio, name, 'Resolver').click()
  await expect(caio).toHaveURL(/\/tickets$/)
  await marina.getByText('Fechados').click()
  await expect(rowOf(marina, name)).toBeVisible()
})
