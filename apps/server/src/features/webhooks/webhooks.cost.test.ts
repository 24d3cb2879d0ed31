import { randomUUID } from 'node:crypto'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import type { Tx } from '../../platform/scope.ts'
import { eq } from '../../platform/sql.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'
import { post } from '../messages/messages.actions.ts'
import { acknowledge, receive } from '../messages/messages.receive.ts'
import { messages } from '../messages/messages.table.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'

let world: World
let admin: Person
let stranger: Person
beforeAll(async () => {
  // nobody else asks the database anything meanwhile
  const features = product.features.map(feature => ({ ...feature, due: [], chores: [] }))
  world = await openWorld({}, { product: { ...product, features, roles: [], seed: firstDay } })
  admin = await world.as('admin@balcao.test')
  stranger = await world.as('admin@outra.test')
})
afterAll(() => world.close())

const hook = {
  ...{ name: 'Loja', url: 'https://93.184.215.14/aviso' },
  events: ['message.received' as const, 'message.status' as const],
}

/** How many statements it takes to take a message in, to send one, and to hear that it arrived. */
async function costs() {
  const scope = world.platform.scopes.inCompany(admin.user.companyId)
  const whatsappId = admin.user.whatsappId!
  const ticketId = await rowsOf(world, admin).ticket()
  const { contactId, contact } = (await scope.read(tx => loadTicket(tx, ticketId)))!
  const cost = async (work: (tx: Tx) => Promise<unknown>) => {
    const before = world.database.statements()
    await scope.transaction(work)
    return world.database.statements() - before
  }
  const now = new Date().toISOString()
  const id = randomUUID()
  const inbound = await cost(tx =>
    receive(tx, whatsappId, {
      ...{ kind: 'message', chat: { kind: 'phone', value: contact.number }, externalId: newNumber() },
      ...{ fromMe: false, name: 'Rita', body: 'Oi', mediaType: null, at: now },
    }),
  )
  const sent = { id, body: 'Oi', mediaType: null, ticketId, contactId, whatsappId, userId: null }
  const send = await cost(tx => post(tx, { ...sent, source: 'api', createdAt: now }))
  const [row] = await scope.read(tx =>
    tx.sql.select({ externalId: messages.externalId }).from(messages).where(eq(messages.id, id)),
  )
  const ack = await cost(tx => acknowledge(tx, whatsappId, [{ externalId: row!.externalId, ack: 3 }]))
  return { inbound, send, ack }
}

test('a company without webhooks pays no statement for them, also where others have some; who has one pays one', async () => {
  await stranger.get(webhooks.create, { body: hook })
  // until it is known who has any
  const without = await until(async () => {
    const [one, two] = [await costs(), await costs()]
    return JSON.stringify(one) === JSON.stringify(two) && one
  })
  await admin.get(webhooks.create, { body: hook })
  const { inbound, send, ack } = without
  const paid = JSON.stringify({ inbound: inbound + 1, send, ack: ack + 1 })
  // who has webhooks is looked for again now and then, beside whoever asks
  await until(async () => JSON.stringify(await costs()) === paid)
})
