import { clients } from '@balcao/contract/clients.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let master: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
})
afterAll(() => app.close())

const CUSTOMERS = 6

/** Read past the company, whose people are out. */
const read = <Row>(statement: SQL) => app.database.transaction('', sql => rowsFrom<Row>(sql, statement))

/** What the phones of the company's customers hold. */
const onPhones = async (companyId: number, fromMe: boolean) => {
  const own = tag`select body from simulator_messages where company_id = ${companyId} and from_me = ${fromMe}`
  return (await read<{ body: string }>(own)).map(({ body }) => body)
}

/** Six customers write and are answered without a pause, each by one user, until no user of the company gets in. */
async function traffic(helena: Person, talks: { number: string; ticketId: number }[]) {
  const said = { received: [] as string[], answered: [] as string[], statuses: new Set<number>() }
  const whatsappId = helena.user.whatsappId!
  const goOn = async ({ number, ticketId }: (typeof talks)[number], place: number) => {
    const params = { ticketId, companyId: helena.user.companyId }
    for (let turn = 0; ; turn++) {
      const [question, answer] = [`pergunta ${place}.${turn}`, `resposta ${place}.${turn}`]
      const write = { params: { whatsappId }, body: { number, name: 'Rita', body: question } }
      const written = await helena.call(simulator.write, write)
      if (written.status === 200) said.received.push(question)
      const sent = await helena.call(messages.send, { params, body: { body: answer } })
      if (sent.status === 200) said.answered.push(answer)
      for (const { status } of [written, sent]) said.statuses.add(status)
      if (written.status === 401 && sent.status === 401) return
    }
  }
  await Promise.all(talks.map(goOn))
  return said
}

test('a company that is switched off while its people answer is out within five seconds; what was taken in goes on when it is on again, each once [OP-45]', async () => {
  const [helena, stranger] = [await app.as('admin@balcao.test'), await app.as('admin@outra.test')]
  const { companyId, whatsappId } = helena.user
  const talks: { number: string; ticketId: number }[] = []
  for (let place = 0; place < CUSTOMERS; place++) {
    const number = newNumber()
    await helena.get(simulator.write, {
      params: { whatsappId: whatsappId! },
      body: { number, name: 'Rita', body: 'Olá' },
    })
    const ticket = await until(async () =>
      (await helena.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
        ({ contact }) => contact.number === number,
      ),
    )
    const body = { status: 'open' as const, queueId: helena.user.queues[0]!.id }
    await helena.get(tickets.change, { params: { ticketId: ticket.id }, body })
    talks.push({ number, ticketId: ticket.id })
  }
  const line = await helena.socket()
  const theirs = await stranger.subscribe(messageChannel)
  const under = traffic(helena, talks)
  await until(async () => (await onPhones(companyId, true)).length > 3 * CUSTOMERS)

  const off = Date.now()
  await master.get(clients.change, { params: { companyId }, body: { status: 0 } })
  const said = await under
  await until(() => line.disconnected, 5_000)
  expect(Date.now() - off).toBeLessThan(5_000)
  expect([...said.statuses].filter(status => status >= 500)).toEqual([])
  // its number is let go of with the lease
  const held = tag`select from whatsapp_leases where company_id = ${companyId} and expires_at > now()`
  await until(async () => (await read(held)).length === 0, 15_000)
  const still = await onPhones(companyId, true)
  for (const end = Date.now() + 1_500; Date.now() < end; )
    expect(await onPhones(companyId, true)).toEqual(still)
  await stranger.get(tickets.list, { query: { status: 'open' } })
  expect(theirs).toEqual([])

  await master.get(clients.change, { params: { companyId }, body: { status: 1 } })
  const back = await app.as('admin@balcao.test')
  const kept = async () => {
    const pages = await Promise.all(
      talks.map(({ ticketId }) => back.get(messages.list, { params: { ticketId } })),
    )
    return pages.flatMap(page => page.messages)
  }
  const answersIn = (all: string[]) => all.filter(body => body.startsWith('resposta')).toSorted()
  await until(async () => answersIn(await onPhones(companyId, true)).length >= said.answered.length, 20_000)
  await until(async () => (await kept()).every(({ fromMe, ack }) => !fromMe || ack >= 2), 20_000)
  // an aborted call may have been accepted
  const answers = answersIn(await onPhones(companyId, true))
  expect(new Set(answers).size).toBe(answers.length)
  expect(said.answered.filter(body => !answers.includes(body))).toEqual([])
  const written = (await onPhones(companyId, false)).toSorted()
  expect(said.received.filter(body => !written.includes(body))).toEqual([])
}, 60_000)
