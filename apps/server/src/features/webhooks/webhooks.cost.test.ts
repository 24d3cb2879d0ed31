import { randomUUID } from 'node:crypto'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { itemsOf } from '../../platform/features.ts'
import { eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { product } from '../../product.ts'
import { firstDay } from '../../seed/first-start.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { post } from '../messages/messages.actions.ts'
import { messages } from '../messages/messages.table.ts'
import { acknowledge } from '../messages/outbox/receipts.actions.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'

let app: TestApp
let admin: Person
let stranger: Person
beforeAll(async () => {
  // no other statements reach the database meanwhile
  const features = product.features.map(feature => ({ ...feature, jobs: itemsOf([feature], 'job') }))
  app = await openTestApp({}, { product: { ...product, features, roles: [], seed: firstDay } })
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const hook = {
  ...{ name: 'Loja', url: 'https://93.184.215.14/aviso' },
  events: ['message.received' as const, 'message.status' as const],
}

/** Number of statements to receive a message, to send one, and to process its delivery receipt. */
async function costs() {
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const whatsappId = admin.user.whatsappId!
  const ticketId = await rowsOf(app, admin).ticket()
  const { contactId, contact } = (await scope.read(tx => loadTicket(tx, ticketId)))!
  const cost = async (work: (tx: Tx) => Promise<unknown>) => {
    const before = app.database.statements()
    await scope.transaction(work)
    return app.database.statements() - before
  }
  const now = new Date().toISOString()
  const id = randomUUID()
  const inbound = await cost(tx =>
    receiveMessage(tx, whatsappId, {
      ...{ kind: 'message', chat: { kind: 'phone', value: contact.number }, externalId: newNumber() },
      ...{ fromMe: false, name: 'Rita', body: 'Oi', mediaType: null, at: now },
    }),
  )
  const sent = { id, body: 'Oi', mediaType: null, ticketId, contactId, whatsappId, userId: null }
  const send = await cost(tx => post(tx, [{ ...sent, source: 'api', createdAt: now }]))
  const [row] = await scope.read(tx =>
    tx.sql.select({ externalId: messages.externalId }).from(messages).where(eq(messages.id, id)),
  )
  const ack = await cost(tx => acknowledge(tx, [{ whatsappId, externalId: row!.externalId, ack: 3 }]))
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
