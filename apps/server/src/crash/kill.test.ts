import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { reportFound } from '../../testing/found.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds, sample } from '../../testing/sample.ts'
import { picture } from '../../testing/samples.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const PREFIX = '5511983'

describe('kill -9', () => {
  let store: Store
  let product: Process
  let marina: Person
  let phone: number
  let kills = 0

  async function start() {
    product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
    marina = await enter(product.url, 'atendente@balcao.test')
    phone = marina.user.whatsappId!
  }

  /** Starts again after a death; its leases have run out by then. */
  async function startAgain() {
    expect(await product.ended).toBe('SIGKILL')
    kills++
    await store.endLeases()
    await start()
  }

  beforeAll(async () => {
    store = await freshStore()
    await start()
  })
  afterAll(async () => {
    await product?.stop()
    await store?.remove()
  })

  const write = (number: string, body: string) =>
    marina.call(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })
  const phoneOf = (number: string) => marina.get(simulator.chat, { params: { whatsappId: phone, number } })
  const waitingOf = (number: string) =>
    until(async () => {
      const page = await marina.get(tickets.list, { query: { status: 'pending' } })
      return page.tickets.find(ticket => ticket.contact.number === number)
    }, 20_000)
  const accept = (ticketId: number) =>
    marina.get(tickets.change, {
      params: { ticketId },
      body: { status: 'open', queueId: marina.user.queues[0]!.id },
    })
  const send = (ticketId: number, id: string, body: string, what = 'a text') => {
    const poll = { question: body, options: ['Sim', 'Não'] }
    return marina.call(messages.send, {
      params: { ticketId, companyId: marina.user.companyId },
      body: { id, ...(what === 'a poll' ? { poll } : { body }) },
    })
  }
  const bodiesOf = async (ticketId: number) =>
    (await marina.get(messages.list, { params: { ticketId } })).messages.map(message => message.body)

  let last = 0
  const newNumber = () => `${PREFIX}${String(100_000 + ++last)}`

  const inbound = [
    ['before the house takes it', 'channels/inbound.ts#receiveInbound:before'],
    ['in the middle of the commit', 'features/messages/messages.queries.ts#insertMessages:after'],
    ['after the commit, before the network is told', 'channels/inbound.ts#receiveInbound:after'],
    [
      'before the network notes that it was told',
      'features/simulator/simulator.queries.ts#markReported:before',
    ],
  ] as const
  test.each(sample(inbound, 1))('%s: what a customer wrote is there once', async (_, point) => {
    const number = newNumber()
    await write(number, `primeira de ${number}`)
    await waitingOf(number)
    await product.dieAt(point)
    await write(number, `segunda de ${number}`).catch(() => {}) // the answer may die with the process
    await startAgain()
    const { id } = await waitingOf(number)
    const both = [`primeira de ${number}`, `segunda de ${number}`]
    await until(async () => (await bodiesOf(id)).length >= 2, 20_000)
    expect(await bodiesOf(id)).toEqual(both)
    expect((await phoneOf(number)).map(message => message.body)).toEqual(both)
  })

  const fetched = [
    [
      'after a file was kept, before its message says so',
      'features/messages/messages.actions.ts#saveMessage:before',
    ],
    ['in the middle of saying so', 'features/messages/messages.actions.ts#saveMessage:after'],
  ] as const
  test.each(sample(fetched, 1))('%s: the message is there once, with its file', async (_, point) => {
    const number = newNumber()
    const file = picture()
    await product.dieAt(point)
    await marina
      .call(simulator.write, {
        params: { whatsappId: phone },
        body: { number, body: `veja, ${number}` },
        files: [file],
      })
      .catch(() => {})
    await startAgain()
    const { id: ticketId } = await waitingOf(number)
    const shown = await until(async () => {
      const page = await marina.get(messages.list, { params: { ticketId } })
      return page.messages.every(one => one.media?.state === 'ready') && page.messages
    }, 20_000)
    expect(shown).toHaveLength(1)
    const bytes = await (await marina.fetch(shown[0]!.mediaUrl!)).arrayBuffer()
    expect(Buffer.from(bytes)).toEqual(Buffer.from(file.bytes))
  })

  const outbound = [
    ['while the answer is being written down', 'features/messages/messages.queries.ts#insertMessages:after'],
    [
      'after it was written down, before the screen hears',
      'features/messages/outbox/outbox.actions.ts#send:after',
    ],
    ['before it leaves', 'features/simulator/simulator.actions.ts#deliver:before'],
    ['after it left, before the mark', 'features/simulator/simulator.actions.ts#deliver:after'],
    ['in the middle of the mark', 'features/messages/outbox/receipts.actions.ts#acknowledge:after'],
  ] as const
  const answers = outbound.flatMap(([when, point]) =>
    (['a text', 'a poll'] as const).map(what => [when, what, point] as const),
  )
  test.each(sample(answers, 1))('%s: %s of an attendant arrives once', async (_, what, point) => {
    const number = newNumber()
    await write(number, `pergunta de ${number}`)
    const { id: ticketId } = await accept((await waitingOf(number)).id)
    const id = crypto.randomUUID()
    await product.dieAt(point)
    await send(ticketId, id, `resposta a ${number}`, what).catch(() => {})
    await startAgain()
    // The screen got no answer, so it sends again under the same id.
    const again = await send(ticketId, id, `resposta a ${number}`, what)
    expect([again.status, again.body.id]).toEqual([200, id])
    const shown = await until(async () => {
      const list = (await phoneOf(number)).filter(message => message.fromMe)
      return list.length > 0 && list
    }, 20_000)
    await until(async () => {
      const page = await marina.get(messages.list, { params: { ticketId } })
      return page.messages.at(-1)!.ack >= 2
    }, 20_000)
    expect(shown.map(message => message.body)).toEqual([`resposta a ${number}`])
    expect(await bodiesOf(ticketId)).toEqual([`pergunta de ${number}`, `resposta a ${number}`])
  })

  const LEAST_WRITTEN = 3
  const KILLS = rounds(2, 5)
  test(`${KILLS} times at any moment of a busy hour`, async () => {
    const rooms = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const number = newNumber()
        await write(number, `começo de ${number}`)
        return { number, ticketId: (await accept((await waitingOf(number)).id)).id }
      }),
    )
    const unanswered = new Map<string, { ticketId: number; body: string }>()
    for (let round = 0; round < KILLS; round++) {
      const end = Date.now() + 150 + round * 130
      let place = 0
      let written = 0
      let isDead = false
      const talk = rooms.map(async ({ number, ticketId }) => {
        while (!isDead) {
          const body = `${round}.${++place} ${number}`
          const id = crypto.randomUUID()
          unanswered.set(id, { ticketId, body: `R ${body}` })
          try {
            await write(number, `P ${body}`)
            written++
            if ((await send(ticketId, id, `R ${body}`)).status === 200) unanswered.delete(id)
          } catch {
            return // the process died
          }
        }
      })
      // a busy machine needs longer until there is something to lose
      await until(() => Date.now() >= end && written >= LEAST_WRITTEN, 20_000)
      await product.kill()
      isDead = true
      await Promise.all(talk)
      await startAgain()
      for (const [id, { ticketId, body }] of unanswered) {
        expect((await send(ticketId, id, body)).status).toBe(200)
        unanswered.delete(id)
      }
    }
    for (const { number, ticketId } of rooms)
      await until(async () => {
        const page = await marina.get(messages.list, { params: { ticketId } })
        const shown = await phoneOf(number)
        return (
          page.messages.every(message => message.ack >= 2) &&
          shown.length > 0 &&
          page.messages.at(-1)!.id !== undefined
        )
      }, 30_000)
  })

  test('leaves nothing lost, nothing doubled and nothing waiting', async () => {
    await until(async () => (await fetch(`${product.url}/health`)).ok, 5_000)
    await new Promise(done => setTimeout(done, 3_000)) // whatever still waits looks again every two seconds
    await product.stop()
    const figures = await figuresOf(store, PREFIX)
    console.log('kill -9:', figures)
    reportFound(kills, figures)
    expect(soundFigures(figures)).toEqual({})
    expect(figures['customers wrote']).toBeGreaterThan(10)
    expect(figures['company wrote']).toBeGreaterThan(5)
  })
})
