import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds } from '../../testing/sample.ts'
import { emptyStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const PROCESSES = 3
const ROUNDS = rounds(15, 50)

describe('at once in three processes', () => {
  let store: Store
  const products: Process[] = []
  /** Where the n-th person works. */
  const at = (place: number) => products[place % products.length]!.url
  let marina: Person
  let caio: Person
  let phone: number

  beforeAll(async () => {
    store = await emptyStore()
    // Together, so that they also migrate and make the demo data at once.
    const program = [new URL('../../testing/first-day.child.ts', import.meta.url).href]
    const start = () => startProcess(store.env, 60_000, program)
    const starts = Array.from({ length: PROCESSES }, start)
    products.push(...(await Promise.all(starts)))
    marina = await enter(at(0), 'atendente@balcao.test')
    caio = await enter(at(1), 'caio@balcao.test')
    phone = marina.user.whatsappId!
  })
  afterAll(async () => {
    for (const product of products) await product.stop()
    await store?.remove()
  })

  const write = (person: Person, number: string, body: string) =>
    person.get(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })
  const accept = (person: Person, ticketId: number) =>
    person.call(tickets.change, {
      params: { ticketId },
      body: { status: 'open', queueId: person.user.queues[0]!.id },
    })
  async function waiting(prefix: string, many: number): Promise<Ticket[]> {
    return until(async () => {
      const found: Ticket[] = []
      for (const pageNumber of [1, 2]) {
        const page = await marina.get(tickets.list, { query: { status: 'pending', pageNumber } })
        found.push(...page.tickets.filter(ticket => ticket.contact.number.startsWith(prefix)))
      }
      return found.length === many && found
    }, 60_000)
  }

  test(`two attendants accept one ticket, ${ROUNDS} times: one has it, the other is told who`, async () => {
    for (let place = 0; place < ROUNDS; place++)
      await write(marina, `5511984${100_000 + place}`, `oi ${place}`)
    const wins = { marina: 0, caio: 0 }
    for (const ticket of await waiting('5511984', ROUNDS)) {
      const [hers, his] = await Promise.all([accept(marina, ticket.id), accept(caio, ticket.id)])
      expect([hers.status, his.status].sort()).toEqual([200, 409])
      const [won, lost, winner] = hers.status === 200 ? [hers, his, marina] : [his, hers, caio]
      wins[winner === marina ? 'marina' : 'caio']++
      expect(won.body.userId).toBe(winner.user.id)
      expect(lost.body).toMatchObject({
        error: 'ERR_TICKET_TAKEN',
        details: { user: { id: winner.user.id, name: winner.user.name } },
      })
      const after = await marina.get(tickets.show, { params: { ticketId: ticket.id } })
      expect(after.user).toEqual({ id: winner.user.id, name: winner.user.name })
    }
    console.log('accepts at once:', wins)
  })

  test('twenty first messages make one contact, one ticket, twenty messages in order', async () => {
    const people = await Promise.all(
      Array.from({ length: PROCESSES }, (_, place) => enter(at(place), 'bianca@balcao.test')),
    )
    const number = `5511985${100_000 + Math.floor(Math.random() * 900_000)}`
    await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        write(people[place % people.length]!, number, `mensagem ${place}`),
      ),
    )
    const [ticket] = await waiting(number, 1)
    const page = await until(async () => {
      const found = await marina.get(messages.list, { params: { ticketId: ticket!.id } })
      // ticket and messages are read one after the other while the last ones still come
      return found.messages.length >= 20 && found.ticket.unreadMessages >= 20 && found
    }, 60_000)
    const shown = await marina.get(simulator.chat, { params: { whatsappId: phone, number } })
    expect(page.messages.map(message => message.body)).toEqual(shown.map(message => message.body))
    expect(page.ticket.unreadMessages).toBe(20)
  })

  test('the same answer under one id, sent twice at once, is one message', async () => {
    const number = '5511986100001'
    await write(marina, number, 'oi')
    const [{ id: ticketId } = { id: 0 }] = await waiting(number, 1)
    expect((await accept(marina, ticketId)).status).toBe(200)
    const elsewhere = await enter(at(2), 'atendente@balcao.test')
    for (let round = 0; round < 10; round++) {
      const body = { id: crypto.randomUUID(), body: `resposta ${round}` }
      const send = (person: Person) =>
        person.call(messages.send, { params: { ticketId, companyId: person.user.companyId }, body })
      const answers = await Promise.all([send(marina), send(elsewhere)])
      expect(answers.map(answer => [answer.status, answer.body.id])).toEqual([
        [200, body.id],
        [200, body.id],
      ])
    }
    const ours = async () =>
      (await marina.get(simulator.chat, { params: { whatsappId: phone, number } })).filter(one => one.fromMe)
    await until(async () => (await ours()).length >= 10, 20_000)
    expect((await ours()).map(one => one.body)).toEqual(
      Array.from({ length: 10 }, (_, round) => `resposta ${round}`),
    )
  })
})
