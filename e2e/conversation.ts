import { queues } from '@balcao/contract/queues.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { expect, type Page } from '@playwright/test'
import { callsOn } from './call.ts'
import { leadTo, type People } from './people.ts'
import type { Phone } from './phone.ts'

let last = 0
/** A number of Belo Horizonte that no test used before. */
export const newNumber = () =>
  `55319${String(90_000_000 + Number(String(Date.now()).slice(-6)) * 10 + last++)}`
export const compose = (page: Page) => page.getByLabel('Escreva uma mensagem')
export const bubbles = (page: Page) => page.getByRole('log').locator('article')
/** Texts of the bubbles on the screen, oldest first. */
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

/** A customer has written, and Marina attends; how people accept a ticket is for `tickets.e2e.ts` to prove. */
export async function inTouch(
  people: People,
  phone: Phone,
  first = 'Nora',
  coming: Parameters<People['attendant']>[0] = {},
) {
  const number = newNumber()
  const name = `${first} ${number.slice(-5)}`
  const [marina, firstId] = await Promise.all([people.attendant(coming), phone.write(number, 'Olá!', name)])
  await attend(marina, name)
  return { marina, number, name, firstId }
}

/** Accepts the waiting ticket of a customer by the calls of whoever looks at this page, into Suporte, and opens it. */
async function attend(page: Page, name: string) {
  const call = await callsOn(page)
  const waiting = async () => (await call(tickets.list, { query: { status: 'pending' } })).tickets
  const found = async () => (await waiting()).find(({ contact }) => contact.name === name)
  await expect.poll(found).toBeDefined()
  const { id } = (await found())!
  const support = (await call(queues.list)).find(one => one.name === 'Suporte')!
  await call(tickets.change, { params: { ticketId: id }, body: { status: 'open', queueId: support.id } })
  await leadTo(page, `/tickets/${id}`)
  await expect(compose(page)).toBeVisible()
  return id
}
