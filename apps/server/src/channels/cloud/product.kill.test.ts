import { setTimeout as pause } from 'node:timers/promises'
import { samples } from '@balcao/cloud-api-server/samples.ts'
import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, settingsOf, VERIFY_TOKEN } from '../../../testing/cloud.ts'
import { reportFound } from '../../../testing/found.ts'
import { type Process, startProcess } from '../../../testing/process.ts'
import { rounds, sample } from '../../../testing/sample.ts'
import { freshStore, type Store } from '../../../testing/store.ts'
import { enter, type Person, until } from '../../../testing/test-app.ts'
import { freePort } from '../../platform/postgres/embedded/server.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const SECONDS = 150_000
const BUSY_KILLS = rounds(1, 4)
/** While Meta answers, and between note and call. */
const OTHER_KILLS = 2 + BUSY_KILLS

describe('kill -9 beside Meta', () => {
  let store: Store
  let meta: CloudApiServer
  let port: string
  let product: Process
  let admin: Person
  let whatsappId: number
  let kills = 0

  async function start() {
    product = await startProcess({
      ...store.env,
      GRAPH_API_URL: meta.url,
      PORT: port, // Meta calls the registered address
      LOG_LEVEL: 'error',
    })
    admin = await enter(product.url, 'admin@balcao.test')
  }

  async function startAgain() {
    expect(await product.ended).toBe('SIGKILL')
    kills++
    await store.endLeases()
    await start()
  }

  beforeAll(async () => {
    store = await freshStore()
    meta = await startCloudApiServer({
      limits: { pairBurst: false },
      webhooks: { backOff: [200], lanes: 4 },
    })
    meta.number.coexistence = true // echoes of the phone come between the messages
    port = await freePort()
    await start()
    const { id, webhook } = await connect(product, admin, settingsOf(meta))
    whatsappId = id
    await meta.app.subscribe(webhook, VERIFY_TOKEN)
  })
  afterAll(async () => {
    await product?.stop()
    await meta?.close()
    await store?.remove()
  })

  let last = 0
  const newcomer = () => meta.addCustomer(`551196${String(1_000_000 + ++last)}`)
  type Customer = ReturnType<typeof newcomer>

  const waitingOf = ({ number }: Customer) =>
    until(async () => {
      const query = { status: 'pending', showAll: true } as const
      const page = await admin.get(tickets.list, { query })
      return page.tickets.find(ticket => ticket.contact.number === number)
    }, SECONDS)
  async function conversation(customer: Customer) {
    customer.says(`começo de ${customer.number}`)
    const { id: ticketId } = await waitingOf(customer)
    const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
    await admin.get(tickets.change, { params: { ticketId }, body })
    return ticketId
  }
  const said = async (ticketId: number) => (await admin.get(messages.list, { params: { ticketId } })).messages
  const send = (ticketId: number, id: string, body: string) =>
    admin.call(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { id, body } })
  const texts = (customer: Customer) => customer.received().map(({ text }) => text)
  const acked = (ticketId: number, id: string, ack: number) =>
    until(async () => (await said(ticketId)).find(one => one.id === id && one.ack === ack), SECONDS)

  const inbound = [
    ['before the webhook is written down', 'features/cloud/cloud.actions.ts#keepDeliveries:before'],
    ['after it was, before Meta is told', 'features/cloud/cloud.actions.ts#keepDeliveries:after'],
    ['before the house takes it', 'channels/inbound.ts#receiveInbound:before'],
    ['in the middle of the commit', 'features/messages/messages.queries.ts#insertMessages:after'],
    ['after the commit, before the row is settled', 'channels/inbound.ts#receiveInbound:after'],
    ['after the row is settled', 'features/cloud/cloud.queries.ts#settleDeliveries:after'],
  ] as const
  const inboundTried = sample(inbound, 1)
  test.each(inboundTried)('%s: what a customer wrote is there once', async (_, point) => {
    const customer = newcomer()
    customer.says('primeira')
    const { id } = await waitingOf(customer)
    await product.dieAt(point)
    customer.says('segunda')
    await startAgain()
    customer.says('terceira')
    await until(async () => (await said(id)).length >= 3, SECONDS)
    await meta.settled()
    expect((await said(id)).map(({ body }) => body).toSorted()).toEqual(['primeira', 'segunda', 'terceira'])
  })

  const files = [
    ['before a file is noted as kept', 'features/messages/messages.actions.ts#saveMessage:before'],
    ['in the middle of noting it', 'features/messages/messages.actions.ts#saveMessage:after'],
  ] as const
  const filesTried = sample(files, 1)
  test.each(filesTried)('%s: the picture is there once, byte for byte', async (_, point) => {
    const customer = newcomer()
    const ticketId = await conversation(customer)
    await product.dieAt(point)
    customer.says({ image: { bytes: samples['image/png'], mime: 'image/png', caption: 'veja' } })
    await startAgain()
    const shown = await until(async () => {
      const pictures = (await said(ticketId)).filter(({ mediaType }) => mediaType === 'image')
      return pictures.length > 0 && pictures.every(({ media }) => media?.state === 'ready') && pictures
    }, SECONDS)
    expect(shown).toHaveLength(1)
    const bytes = await (await admin.fetch(shown[0]!.mediaUrl!)).arrayBuffer()
    expect(Buffer.from(bytes).equals(samples['image/png'])).toBe(true)
  })

  const outbound = [
    ['before it is noted that Meta is asked', 'features/cloud/cloud.queries.ts#markAsked:before'],
    ['after Meta took it, before its name is kept', 'features/cloud/cloud.queries.ts#learnNames:before'],
    ['in the middle of keeping its name', 'features/cloud/cloud.queries.ts#learnNames:after'],
    ['before its mark', 'features/messages/outbox/receipts.actions.ts#acknowledge:before'],
    ['in the middle of its mark', 'features/messages/outbox/receipts.actions.ts#acknowledge:after'],
  ] as const
  const outboundTried = sample(outbound, 1)
  test.each(outboundTried)('%s: an answer arrives once and is shown as delivered', async (_, point) => {
    const customer = newcomer()
    const ticketId = await conversation(customer)
    const id = crypto.randomUUID()
    await product.dieAt(point)
    await send(ticketId, id, 'resposta').catch(() => {}) // the answer may die with the process
    await startAgain()
    expect((await send(ticketId, id, 'resposta')).status).toBe(200) // as the screen does that got none
    await acked(ticketId, id, 3)
    expect(texts(customer)).toEqual(['resposta'])
  })

  test('while Meta is answering: the status says what became of it', async () => {
    const customer = newcomer()
    const ticketId = await conversation(customer)
    const id = crypto.randomUUID()
    meta.faults.calls.next({ hang: 'after', on: 'messages' })
    await send(ticketId, id, 'no ar')
    await until(() => texts(customer).length === 1, SECONDS)
    void product.kill()
    await startAgain()
    await acked(ticketId, id, 3)
    expect(texts(customer)).toEqual(['no ar'])
  })

  test('between the note and the call: it shows as unknown, and leaves when somebody says so', async () => {
    const customer = newcomer()
    const ticketId = await conversation(customer)
    const id = crypto.randomUUID()
    await product.dieAt('features/cloud/cloud.client.ts#openGraph.post:before')
    await send(ticketId, id, 'saiu?').catch(() => {})
    await startAgain()
    expect((await acked(ticketId, id, 0)).failReason).toBe('ERR_WAPP_UNKNOWN_OUTCOME')
    expect(texts(customer)).toEqual([])
    await admin.get(messages.resend, { params: { messageId: id } })
    await acked(ticketId, id, 3)
    expect(texts(customer)).toEqual(['saiu?'])
  })

  test(`${BUSY_KILLS} times at any moment of a busy hour`, async () => {
    const rooms = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const customer = newcomer()
        return { customer, ticketId: await conversation(customer) }
      }),
    )
    for (let round = 0; round < BUSY_KILLS; round++) {
      const unanswered = new Map<string, { ticketId: number; body: string }>()
      let place = 0
      const talk = rooms.map(async ({ customer, ticketId }) => {
        for (;;) {
          const body = `${round}.${++place} ${customer.number}`
          const id = crypto.randomUUID()
          customer.says(`P ${body}`)
          meta.number.businessApp.writes(customer, `T ${body}`)
          unanswered.set(id, { ticketId, body: `R ${body}` })
          const answer = await send(ticketId, id, `R ${body}`).catch(() => null)
          if (!answer) return // the process died, which ends the round
          if (answer.status === 200) unanswered.delete(id)
        }
      })
      const isBusy = until(() => place >= 2 * rooms.length, SECONDS)
      await Promise.all([isBusy, pause(400 + round * 170)])
      void product.kill()
      await Promise.all(talk)
      await startAgain()
      for (const [id, { ticketId, body }] of unanswered)
        expect((await send(ticketId, id, body)).status).toBe(200)
    }
    // whole conversations, not their last page; WhatsApp reports nothing further of what the phone sent
    const unsettled = async () => {
      const [row] =
        await store.rows(`select count(*)::int as many from messages where whatsapp_id = ${whatsappId}
        and from_me and (waits or source <> 'phone' and ack in (1, 2))`)
      return Number(row!.many)
    }
    await until(async () => (await unsettled()) === 0, 2 * SECONDS)
  })

  test('leaves nothing lost, nothing doubled, and what nobody knows marked', async () => {
    const show = () => admin.get(connections.show, { params: { whatsappId } })
    await until(async () => (await show()).status === 'CONNECTED', SECONDS)
    await meta.settled()
    await until(() => meta.webhooks.attempts.at(-1)?.outcome === 200, SECONDS)
    await product.stop()
    const wrote = meta.state.customers.flatMap(customer => customer.wrote)
    const received = meta.state.customers.flatMap(customer => customer.received())
    const rows =
      await store.rows(`select external_id, from_me, source, body, ack, fail_reason, waits from messages
      where whatsapp_id = ${whatsappId}`)
    const [left] = await store.rows(`select
      (select count(*) from cloud_deliveries where handled_at is null)::int as deliveries,
      (select count(*) from inbound_events where handled_at is null)::int as inbound_events`)
    const inside = rows.filter(row => !row.from_me)
    const [echoes, outside] = [true, false].map(isPhone =>
      rows.filter(row => row.from_me && (row.source === 'phone') === isPhone),
    ) as [typeof rows, typeof rows]
    const { written: onPhone } = meta.number.businessApp
    const arrived = new Set(received.map(({ text }) => text))
    const isUnknown = (row: (typeof rows)[number]) =>
      row.ack === 0 && row.fail_reason === 'ERR_WAPP_UNKNOWN_OUTCOME'
    const figures = {
      kills: kills,
      'customers wrote': wrote.length,
      'company wrote': outside.length,
      'lost in': wrote.filter(({ id }) => !inside.some(row => row.external_id === id)).length,
      'doubled in': inside.length - wrote.length,
      'phone wrote': onPhone.length,
      'lost echoes': onPhone.filter(({ id }) => !echoes.some(row => row.external_id === id)).length,
      'doubled echoes': echoes.length - onPhone.length,
      'lost out': outside.filter(row => !arrived.has(String(row.body)) && !isUnknown(row)).length,
      'doubled out': meta.doubled().length,
      'arrived without a mark': outside.filter(row => arrived.has(String(row.body)) && Number(row.ack) < 3)
        .length,
      'shown as unknown': outside.filter(isUnknown).length,
      'left in outbox': outside.filter(row => row.waits).length,
      'left in the journal': Number(left!.inbound_events) + Number(left!.deliveries),
    }
    console.log('kill -9 beside Meta:', figures)
    reportFound(kills, figures)
    const {
      kills: died,
      'customers wrote': _in,
      'company wrote': companyWrote,
      'phone wrote': phoneWrote,
      'shown as unknown': _unknown,
      ...faults
    } = figures
    expect(Object.entries(faults).filter(([, many]) => many !== 0)).toEqual([])
    const points = [...inboundTried, ...filesTried, ...outboundTried]
    // a story that was tried again died more often
    expect(died).toBeGreaterThanOrEqual(points.length + OTHER_KILLS)
    expect(Math.min(companyWrote, phoneWrote)).toBeGreaterThan(5)
  })
})
