import {
  type CloudApiServer,
  type ServerOptions,
  startCloudApiServer,
} from '@balcao/cloud-api-server/server.ts'
import { connectionSessionChannel, connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { expect } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from './test-app.ts'

export const VERIFY_TOKEN = 'palavra-combinada'
const SECONDS = 15_000

/** The whole product with a connection of the official API, and Meta with its customers. */
export interface CloudScene {
  world: TestApp
  meta: CloudApiServer
  admin: Person
  whatsappId: number
  /** The webhook's address, as an admin copies it. */
  webhook: string
  /** The ticket that a customer's message opened. */
  pending(number: string): Promise<number>
  /** A customer wrote, and a user accepted the ticket. */
  conversation(number: string, body?: string): Promise<number>
  said(ticketId: number): Promise<Said[]>
  send(ticketId: number, body: string): Promise<Said>
  status(): Promise<string>
  /** Every status since the scene was set, also one that lasted for a moment. */
  statuses(): string[]
  end(): Promise<void>
}
type Said = Awaited<ReturnType<typeof messagesOf>>[number]

const messagesOf = async (admin: Person, ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages

/** An admin's input, by default of the double's first number. */
export const settingsOf = (
  meta: CloudApiServer,
  number = meta.number,
  token = meta.token,
  app = meta.app,
) => ({
  phoneNumberId: number.id,
  businessAccountId: number.account.id,
  accessToken: token.value,
  appSecret: app.secret,
  verifyToken: VERIFY_TOKEN,
})

export async function setCloudScene({
  connections: poolSize,
  ...options
}: ServerOptions & { connections?: number } = {}): Promise<CloudScene> {
  const meta = await startCloudApiServer({ limits: { pairBurst: false }, ...options })
  const world = await openTestApp({ GRAPH_API_URL: meta.url }, { connections: poolSize })
  const admin = await world.as('admin@balcao.test')
  const told = await admin.subscribe(connectionSessionChannel)
  const { id: whatsappId, webhook } = await connect(world, admin, settingsOf(meta))
  await meta.app.subscribe(webhook, VERIFY_TOKEN)
  const params = { whatsappId }
  const scene: CloudScene = {
    ...{ world, meta, admin, whatsappId, webhook },
    async pending(number) {
      const found = await until(async () => {
        const { tickets: listed } = await admin.get(tickets.list, {
          query: { status: 'pending', showAll: true },
        })
        return listed.find(ticket => ticket.contact.number === number)
      }, SECONDS)
      return found.id
    },
    async conversation(number, body = 'Oi') {
      const known = meta.state.customers.find(one => one.number === number)
      ;(known ?? meta.addCustomer(number)).says(body)
      const ticketId = await scene.pending(number)
      await admin.get(tickets.change, {
        params: { ticketId },
        body: { status: 'open', queueId: admin.user.queues[0]!.id },
      })
      return ticketId
    },
    said: ticketId => messagesOf(admin, ticketId),
    send: (ticketId, body) =>
      admin.get(messages.send, { params: { ticketId, companyId: admin.user.companyId }, body: { body } }),
    status: async () => (await admin.get(connections.show, { params })).status,
    statuses: () => told.flatMap(({ session }) => (session.id === whatsappId ? [session.status] : [])),
    async end() {
      await world.close()
      await meta.close()
      expect(meta.unknown).toEqual([])
      expect(meta.errors).toEqual([])
    },
  }
  return scene
}

let connected = 0

/** Adds a connection with these settings and waits until it is connected. */
export async function connect(
  world: Pick<TestApp, 'url'>,
  admin: Person,
  cloud: ReturnType<typeof settingsOf>,
) {
  const added = await admin.get(connections.create, {
    body: { name: `Oficial ${++connected}`, lib: 'cloud', cloud },
  })
  const show = () => admin.get(connections.show, { params: { whatsappId: added.id } })
  await until(async () => (await show()).status === 'CONNECTED', SECONDS)
  return { id: added.id, webhook: world.url + added.cloud!.webhookPath }
}
