import { expect, type Page } from '@playwright/test'
import type { People } from './people.ts'
import type { Phone } from './phone.ts'

let last = 0
/** A number of Belo Horizonte that no test used before. */
export const newNumber = () =>
  `55319${String(90_000_000 + Number(String(Date.now()).slice(-6)) * 10 + last++)}`
export const compose = (page: Page) => page.getByLabel('Escreva uma mensagem')
export const bubbles = (page: Page) => page.getByRole('log').locator('article')
/** What the bubbles on the screen say, oldest first. */
export const texts = (page: Page) =>
  bubbles(page)
    .locator('[dir=auto]')
    .evaluateAll(all => all.map(one => one.textContent))
export const say = async (page: Page, text: string) => {
  await compose(page).fill(text)
  await page.keyboard.press('Enter')
}
/** What a customer's phone got from the company. */
export const sentBy = async (phone: Phone, number: string) =>
  (await phone.chat(number)).filter(({ fromMe }) => fromMe).map(({ body, mediaType }) => body || mediaType)

/** A customer has written, and Marina attends. */
export async function inTouch(people: People, phone: Phone, first = 'Nora') {
  const marina = await people.attendant()
  const number = newNumber()
  const name = `${first} ${number.slice(-5)}`
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  const firstId = await phone.write(number, 'Olá!', name)
  await marina.locator('[data-ticket]').filter({ hasText: name }).click()
  const pane = marina.getByRole('region', { name: `Conversa com ${name}` })
  await pane.getByRole('button', { name: 'Aceitar' }).first().click()
  await marina.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await marina.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await expect(compose(marina)).toBeVisible()
  return { marina, number, name, firstId }
}
