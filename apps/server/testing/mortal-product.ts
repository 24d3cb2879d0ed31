import { setTimeout as sleep } from 'node:timers/promises'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { startWhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { type Process, startProcess } from './process.ts'
import { SEED } from './sample.ts'
import type { Store } from './store.ts'
import { CHANGED, type Dialogue, type Mortal } from './talks.ts'
import { enter, type Person, until } from './test-app.ts'
import { SHOP } from './whatsapp.ts'

const START_MS = 240_000
/** In turn, from one that the seed names: keys are stored, a frame leaves, news is written down; and the last is any moment. */
const POINTS = [
  'features/connections/connections.keys.queries.ts#keyRows.write:before',
  'features/connections/connections.leases.queries.ts#isHeld:before',
  'features/connections/connections.keys.queries.ts#keyRows.write:after',
  'features/connections/connections.leases.queries.ts#isHeld:after',
  'channels/inbound.ts#receiveInbound:before',
  'channels/inbound.ts#receiveInbound:after',
  '',
]

/** The whole product on a database, with a number that is linked, which dies and is started again. */
export interface MortalProduct extends Mortal {
  close(): Promise<void>
}

export async function openMortalProduct(store: Store): Promise<MortalProduct> {
  const server = await startWhatsAppServer()
  const trusted = trustFor(server)
  const env = {
    ...store.env,
    ...trusted.env,
    NODE_OPTIONS: trusted.args.join(' '),
    WHATSAPP_WEB_URL: server.url,
    LOG_LEVEL: 'error',
  }
  let product: Process
  let admin: Person

  async function start() {
    product = await startProcess(env, START_MS)
    admin = await enter(product.url, 'admin@balcao.test')
  }

  /** The lease of a dead process runs out by itself; that is not waited for here. */
  async function startAgain() {
    await store.endLeases()
    await start()
  }

  await start()
  const shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  const body = { name: 'Loja', lib: 'baileys' as const }
  const { id: whatsappId } = await admin!.get(connections.create, { body })
  await admin!.get(connections.renew, { params: { whatsappId }, body: {} })
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await shop.scan(await until(async () => (await show()).qrcode, START_MS))
  await until(async () => (await show()).status === 'CONNECTED' && server.owed(SHOP) === 0, START_MS)
  shop.goOffline()

  async function ticketOf({ chat, readers }: Dialogue) {
    for (const status of ['open', 'pending'] as const) {
      const page = await admin.get(tickets.list, { query: { status, showAll: true } })
      const isTheirs = ({ isGroup, contact }: (typeof page.tickets)[number]) =>
        chat.kind === 'group' ? isGroup : contact.number === readers[0]!.number
      const found = page.tickets.find(ticket => ticket.whatsappId === whatsappId && isTheirs(ticket))
      if (found) return found
    }
    return null
  }

  const accepted = new Map<Dialogue, number>()
  async function accept(talk: Dialogue): Promise<number> {
    const ticket = (await ticketOf(talk))!
    const body = { status: 'open' as const, queueId: admin.user.queues[0]!.id }
    if (ticket.status === 'pending')
      await admin.get(tickets.change, { params: { ticketId: ticket.id }, body })
    accepted.set(talk, ticket.id)
    return ticket.id
  }

  async function post(talk: Dialogue, id: string, body: string) {
    const ticketId = accepted.get(talk) ?? (await accept(talk))
    const params = { ticketId, companyId: admin.user.companyId }
    return (await admin.call(messages.send, { params, body: { id, body } })).status === 200
  }

  return {
    server,
    async dieAndRise(kill, random) {
      const point = POINTS[(SEED + kill) % POINTS.length]!
      if (point) await product.dieAt(point, Math.floor(random() * 12))
      // some points are passed less often: it dies anyway
      await Promise.race([product.ended, sleep(point ? 3_000 : random() * 1_000)])
      await product.kill()
      await startAgain()
    },
    knows: async (_, talk) => (await ticketOf(talk).catch(() => null)) !== null,
    async send(talk, body) {
      const id = crypto.randomUUID()
      while (!(await post(talk, id, body).catch(() => false))) await sleep(50)
      return id
    },
    async kept() {
      const found = await store.rows(`select id, external_id, from_me, ack, body from messages
        where whatsapp_id = ${whatsappId} order by position`)
      const ours = found.filter(row => row.from_me === true)
      const answer = ({ id, external_id: externalId, ack }: Record<string, unknown>) =>
        [`${id}`, { externalId: `${externalId}`, ack: Number(ack) }] as const
      return {
        heard: found.filter(row => row.from_me === false).map(row => `${row.external_id}`),
        edited: found.filter(row => row.body === CHANGED).map(row => `${row.external_id}`),
        answers: new Map(ours.map(answer)),
      }
    },
    async close() {
      await product.stop()
      await server.close()
    },
  }
}
