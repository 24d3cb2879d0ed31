import { randomUUID } from 'node:crypto'
import { flows } from '@balcao/contract/flows.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

const SAID = ['um', 'dois', 'três', 'quatro']
const GAP_S = 3
/** So late something may leave before what follows is put off (the outbox’s LATE_MS), and some for a busy machine. */
const LATE_MS = 2_300
const START_MS = 200_000

describe('kill -9 while a flow is played', () => {
  let store: Store
  let product: Process
  let admin: Person
  let flowId: number

  async function start() {
    product = await startProcess({ ...store.env, LOG_LEVEL: 'error' }, START_MS)
    admin = await enter(product.url, 'admin@balcao.test')
  }

  beforeAll(async () => {
    store = await freshStore()
    await start()
    const flowActions = SAID.flatMap(body => [
      { actionType: 'Composing', param: GAP_S },
      { actionType: 'SendText', body },
    ])
    const flow = await admin.get(flows.create, {
      body: { name: 'Quatro passos', type: 'Chat', flowActions },
    })
    flowId = flow.id
  })
  afterAll(async () => {
    await product?.stop()
    await store?.remove()
  })

  let last = 0
  async function attended() {
    const number = `5511984${100_000 + ++last}`
    const params = { whatsappId: admin.user.whatsappId! }
    await admin.get(simulator.write, { params, body: { number, name: 'Renata', body: 'Oi' } })
    const ticket = await until(async () => {
      const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
      return page.tickets.find(({ contact }) => contact.number === number)
    }, 20_000)
    const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
    await admin.get(tickets.change, { params: { ticketId: ticket.id }, body })
    return { number, ticketId: ticket.id }
  }
  const onPhone = async (number: string) => {
    const params = { whatsappId: admin.user.whatsappId!, number }
    return (await admin.get(simulator.chat, { params })).filter(({ fromMe }) => fromMe)
  }

  const points = [
    [
      'in the middle of the commit that begins it',
      'features/messages/messages.queries.ts#insertMessages:after',
      0,
    ],
    ['after that commit, before anybody hears', 'features/flows/flows.runs.actions.ts#playFlow:after', 0],
    ['before the second thing leaves', 'features/messages/outbox/outbox.queries.ts#beginSending:before', 1],
    ['when the second thing is marked', 'features/messages/outbox/outbox.queries.ts#beginSending:after', 1],
    [
      'when the third thing left, before it is noted',
      'features/messages/outbox/receipts.actions.ts#acknowledge:before',
      2,
    ],
  ] as const

  test.each(sample(points, 1))(
    '%s: everything is said once, in its order and with its distances [OP-101, FLOW-023]',
    async (_, point, passes) => {
      const { number, ticketId } = await attended()
      await product.dieAt(point, passes)
      const id = randomUUID()
      const play = () => admin.call(flows.start, { params: { ticketId }, body: { flowId, id } })
      await play().catch(() => {}) // the answer may die with the process
      expect(await product.ended).toBe('SIGKILL')
      await store.endLeases()
      await start()
      expect((await play()).status).toBe(200)
      await until(async () => {
        const { run } = await admin.get(flows.running, { params: { ticketId } })
        return run === null && (await onPhone(number)).length >= SAID.length
      }, 60_000)
      const said = await onPhone(number)
      expect(said.map(({ body }) => body)).toEqual(SAID)
      const times = said.map(({ createdAt }) => Date.parse(createdAt))
      const gaps = times.slice(1).map((at, which) => at - times[which]!)
      console.log(`${point}: gaps of ${gaps.join(', ')} ms`)
      expect(Math.min(...gaps)).toBeGreaterThan(GAP_S * 1_000 - LATE_MS)
    },
  )
})
