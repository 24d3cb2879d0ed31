import { queues } from '@balcao/contract/queues.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { callsOn } from './call.ts'
import { compose, newNumber, sentBy } from './conversation.ts'
import { leadTo } from './people.ts'
import { expect, test } from './world.ts'

/** SWITCHES=200 for a longer proof. */
const SWITCHES = Number(process.env.SWITCHES ?? 8)
const SLOWER = 6

test('on a slow computer quick messages to several customers each reach the one who was chosen', async ({
  people,
  phone,
}) => {
  test.setTimeout(180_000 + SWITCHES * 3_000)
  const marina = await people.attendant()
  const call = await callsOn(marina)
  const support = (await call(queues.list)).find(({ name }) => name === 'Suporte')!
  const names = ['Ana', 'Bia', 'Caio', 'Davi']
  const customers = names.map(first => ({ name: `${first} ${newNumber().slice(-4)}`, number: newNumber() }))
  const ids: number[] = []
  for (const { name, number } of customers) {
    await phone.write(number, 'Olá!', name)
    const waiting = async () => (await call(tickets.list, { query: { status: 'pending' } })).tickets
    const found = async () => (await waiting()).find(({ contact }) => contact.name === name)?.id
    await expect.poll(found).toBeDefined()
    const ticketId = (await found())!
    ids.push(ticketId)
    await call(tickets.change, { params: { ticketId }, body: { status: 'open', queueId: support.id } })
  }
  await leadTo(marina, `/tickets/${ids[0]}`)
  await expect(compose(marina)).toBeVisible()
  const processor = await marina.context().newCDPSession(marina)
  await processor.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const meant = customers.map((): string[] => [])
  for (let at = 1; at <= SWITCHES; at++) {
    const to = (at * 7 + (at >> 2)) % ids.length
    const text = `${at} para ${customers[to]!.name}`
    meant[to]!.push(text)
    // by the event alone: nothing waits until the conversation is drawn
    await marina
      .locator(`[data-ticket="${ids[to]}"]`)
      .first()
      .evaluate((row: HTMLElement) => {
        row.focus()
        row.click()
      })
    await marina.keyboard.type(text)
    await marina.keyboard.press('Enter')
  }
  await processor.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  for (const [at, { number }] of customers.entries())
    await expect.poll(() => sentBy(phone, number), { timeout: 60_000 }).toEqual(meant[at])
  for (const id of ids) {
    await leadTo(marina, `/tickets/${id}`)
    await expect(compose(marina)).toHaveValue('')
  }
})
