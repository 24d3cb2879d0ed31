import { gapChannel } from '@balcao/contract/live.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serverUrl } from '../../testing/postgres.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { openProxiedWire, type ProxiedWire } from '../../testing/proxy.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

describe('a database that goes away while the product serves', () => {
  let store: Store
  let wire: ProxiedWire
  let product: Process
  let marina: Person
  let phone: number

  beforeAll(async () => {
    store = await freshStore()
    wire = await openProxiedWire(serverUrl())
    product = await startProcess({ ...store.env, DATABASE_URL: wire.over(store.env.DATABASE_URL!) })
    marina = await enter(product.url, 'atendente@balcao.test')
    phone = marina.user.whatsappId!
  })
  afterAll(async () => {
    await product?.stop()
    await wire?.close()
    await store?.remove()
  })

  const write = (number: string, body: string) =>
    marina.call(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })
  const phoneOf = (number: string) => marina.get(simulator.chat, { params: { whatsappId: phone, number } })
  const send = (ticketId: number, body: string) =>
    marina.call(messages.send, {
      params: { ticketId, companyId: marina.user.companyId },
      body: { body, id: crypto.randomUUID() },
    })
  const health = async () => (await fetch(`${product.url}/health`)).status

  test('answers 503 meanwhile and says so in few lines, comes back by itself, and what waited leaves once', async () => {
    const number = '5511981000001'
    await write(number, 'Oi')
    const waiting = await until(async () => {
      const page = await marina.get(tickets.list, { query: { status: 'pending' } })
      return page.tickets.find(ticket => ticket.contact.number === number)
    }, 10_000)
    const ticket = await marina.get(tickets.change, {
      params: { ticketId: waiting.id },
      body: { status: 'open', queueId: marina.user.queues[0]!.id },
    })
    const admin = await enter(product.url, 'admin@balcao.test')
    const fault = (kind: 'offline' | 'none') =>
      admin.get(simulator.fault, { params: { whatsappId: phone }, body: { kind } })
    await fault('offline')
    const queued = ['um', 'dois', 'três']
    for (const body of queued) expect((await send(ticket.id, body)).status).toBe(200)

    const told = await marina.subscribe(gapChannel)
    const printed = product.output().length
    await wire.cut()
    const refused = await send(ticket.id, 'no escuro')
    expect([refused.status, refused.body.error]).toEqual([503, 'ERR_DATABASE_UNAVAILABLE'])
    expect((await write(number, 'alô?')).body.error).toBe('ERR_DATABASE_UNAVAILABLE')
    const login = enter(product.url, 'caio@balcao.test')
    await expect(login).rejects.toThrow('ERR_DATABASE_UNAVAILABLE')
    expect(await health()).toBe(503)
    await new Promise(done => setTimeout(done, 11_000)) // longer than a lease
    expect(await health()).toBe(503)
    // a line for what fails, not a stack for each try
    const lines = product.output().slice(printed).trim().split('\n')
    expect(lines.join('\n')).not.toMatch(/\n\s+at |"stack"/)
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.length).toBeLessThan(12)

    await wire.mend()
    await until(async () => (await health()) === 200, 5_000)
    // requests meanwhile failed, and what was committed without an answer was not announced
    await until(() => told.length > 0, 5_000)
    await until(async () => (await send(ticket.id, 'de volta')).status === 200, 5_000)
    expect((await write(number, 'voltou?')).status).toBe(200)
    await fault('none')
    const ours = async () =>
      (await phoneOf(number)).filter(message => message.fromMe).map(message => message.body)
    await until(async () => (await ours()).length >= 4, 20_000)
    expect(await ours()).toEqual([...queued, 'de volta'])
    const page = await until(async () => {
      const { messages: list } = await marina.get(messages.list, { params: { ticketId: ticket.id } })
      return list.length === 6 && list
    }, 10_000)
    expect(page.map(message => message.body)).toEqual(['Oi', ...queued, 'de volta', 'voltou?'])
  })

  test('in the middle of twenty messages loses none that was taken and doubles none', async () => {
    const number = '5511981000002'
    const crowd = Array.from({ length: 20 }, async (_, place) => {
      const { status } = await write(number, `aperto ${place}`)
      return { status, body: `aperto ${place}` }
    })
    await Promise.race(crowd)
    await wire.cut()
    const answers = await Promise.all(crowd)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    await wire.mend()
    await until(async () => (await health()) === 200, 5_000)
    const onPhone = (await phoneOf(number)).map(message => message.body)
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(onPhone).toEqual(expect.arrayContaining(taken))
    const heard = await until(async () => {
      const page = await marina.get(tickets.list, { query: { status: 'pending' } })
      const ticket = page.tickets.find(one => one.contact.number === number)
      const list = ticket && (await marina.get(messages.list, { params: { ticketId: ticket.id } })).messages
      return list && list.length >= onPhone.length && list
    }, 20_000)
    expect(heard.map(message => message.body)).toEqual(onPhone)
    console.log(`cut in a crowd: ${taken.length} of 20 taken, ${heard.length} on the phone and in the house`)
    await product.stop()
    expect(await product.ended).toBe(0)
  })

  test('that is late at the start is waited for', async () => {
    await wire.cut()
    const env = { ...store.env, DATABASE_URL: wire.over(store.env.DATABASE_URL!) }
    let isLate = false
    product = await startProcess(env, 60_000, undefined, printed => {
      if (isLate || !/the database does not answer yet, trying again/.test(printed)) return
      isLate = true
      void wire.mend()
    })
    expect(isLate).toBe(true)
    expect(await health()).toBe(200)
  })
})
