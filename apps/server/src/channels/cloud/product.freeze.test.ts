import { samples } from '@balcao/cloud-api-server/samples.ts'
import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, settingsOf, VERIFY_TOKEN } from '../../../testing/cloud.ts'
import { type Process, startProcess } from '../../../testing/process.ts'
import { sample } from '../../../testing/sample.ts'
import { freshStore, type Store } from '../../../testing/store.ts'
import { enter, type Person, until } from '../../../testing/test-app.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const PATIENCE_MS = 60_000

/** Each step of a message on its way to Meta, in order. */
const steps = [
  ['before its message is marked', 'features/messages/outbox/outbox.queries.ts#beginSending:before'],
  ['before the driver is asked', 'driver.ts#sendChecked:before'],
  ['before its file goes up', 'features/cloud/cloud.client.ts#openGraph.upload:before'],
  ['after its file went up', 'features/cloud/cloud.client.ts#openGraph.upload:after'],
  ['before it notes that Meta is asked', 'features/cloud/cloud.queries.ts#markAsked:before'],
  ['in the middle of noting that Meta is asked', 'features/cloud/cloud.queries.ts#markAsked:after'],
  ['before it calls', 'features/cloud/cloud.client.ts#openGraph.post:before'],
  ['after Meta answered', 'features/cloud/cloud.client.ts#openGraph.post:after'],
  ['before it keeps the name that Meta gave', 'features/cloud/cloud.queries.ts#learnNames:before'],
  ['in the middle of keeping the name that Meta gave', 'features/cloud/cloud.queries.ts#learnNames:after'],
  ['before the message is settled', 'features/messages/outbox/receipts.actions.ts#acknowledge:before'],
  ['after the message is settled', 'features/messages/outbox/receipts.actions.ts#acknowledge:after'],
] as const

describe('an owner of an official number stands still', () => {
  let store: Store
  let meta: CloudApiServer
  /** The one that runs the number, and the one that would, at which people work and which Meta calls. */
  let owner: Process
  let other: Process
  let path: string
  let admin: Person
  let whatsappId: number

  const start = () => startProcess({ ...store.env, GRAPH_API_URL: meta.url, LOG_LEVEL: 'info' })
  async function startOther() {
    other = await start()
    admin = await enter(other.url, 'admin@balcao.test')
    await meta.app.subscribe(other.url + path, VERIFY_TOKEN)
  }
  const lease = async () => {
    const [row] = await store.rows(
      `select owner, epoch::int from whatsapp_leases where whatsapp_id = ${whatsappId}`,
    )
    return row as { owner: string; epoch: number }
  }

  beforeAll(async () => {
    store = await freshStore()
    meta = await startCloudApiServer({
      limits: { pairBurst: false },
      webhooks: { backOff: [200], lanes: 4 },
    })
    owner = await start()
    admin = await enter(owner.url, 'admin@balcao.test')
    const { id, webhook } = await connect(owner, admin, settingsOf(meta))
    whatsappId = id
    path = new URL(webhook).pathname
    // of several connections the other process gets its share
    await store.rows(`update whatsapps set wanted = 'off' where lib <> 'cloud'`)
    await store.rows(
      `delete from whatsapp_leases l using whatsapps w where w.id = l.whatsapp_id and w.lib <> 'cloud'`,
    )
    await startOther()
  })
  afterAll(async () => {
    owner?.wake()
    await Promise.all([owner?.stop(), other?.stop()])
    await meta?.close()
    await store?.remove()
  })

  let last = 0
  async function conversation() {
    const customer = meta.addCustomer(`551197${String(1_000_000 + ++last)}`)
    customer.says('Oi')
    const waiting = await until(async () => {
      const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
      return page.tickets.find(ticket => ticket.contact.number === customer.number)
    }, PATIENCE_MS)
    const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
    await admin.get(tickets.change, { params: { ticketId: waiting.id }, body })
    return { customer, ticketId: waiting.id }
  }

  /** With other bytes each time: what went up once does not go up again. */
  const picture = () => {
    const bytes = Buffer.concat([samples['image/png'], Buffer.from(crypto.randomUUID())])
    return { name: 'foto.png', type: 'image/png', bytes: new Uint8Array(bytes) }
  }

  /** Sends a picture, whose owner is suspended at this point until another process has completed it. */
  async function sendsThrough(point: string) {
    const { customer, ticketId } = await conversation()
    const before = await lease()
    await owner.freezeAt(point)
    const id = crypto.randomUUID()
    const params = { ticketId, companyId: admin.user.companyId }
    await admin.get(messages.send, { params, body: { id, body: '' }, files: [picture()] })
    await until(async () => (await lease()).epoch > before.epoch, PATIENCE_MS)
    // the period in which a status may still reveal the outcome is not awaited here
    await store.rows(`update cloud_sent set asked_at = asked_at - interval '2 minutes' where wamid is null`)
    const ack = async () =>
      (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.id === id)!.ack
    await until(async () => [0, 3].includes(await ack()), PATIENCE_MS)
    if ((await ack()) === 0) await admin.get(messages.resend, { params: { messageId: id } })
    await until(async () => (await ack()) === 3, PATIENCE_MS)
    return { customer, ack }
  }

  test.each(sample(steps, 2))('%s: nothing of it leaves a second time', async (_, point) => {
    try {
      const { customer, ack } = await sendsThrough(point)
      expect(customer.received()).toHaveLength(1)
      owner.wake()
      await until(() => owner.output().includes('the connection is left'), PATIENCE_MS)
      await owner.stop()
      expect(customer.received()).toHaveLength(1)
      expect(await ack()).toBe(3)
    } finally {
      // a second try finds two that are awake
      owner.wake()
      await owner.stop()
      owner = other
      await startOther()
    }
  })
})
