import { messages } from '@balcao/contract/messages.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ClaimedConnection, claimConnection } from '../../testing/line.ts'
import { openTicket } from '../../testing/open-ticket.ts'
import { photo } from '../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import type { ChannelSession } from '../driver.ts'
import { post } from '../features/messages/messages.actions.ts'
import { localSenders } from '../features/messages/outbox/leaving.actions.ts'
import { loadTicket } from '../features/tickets/tickets.queries.ts'
import type { ChannelConnection } from './connection.ts'
import { openConnection } from './open.ts'
import { sendQueued } from './outbox.ts'

let app: TestApp
let admin: Person
let companyId: number
let whatsappId: number
let line: ClaimedConnection | undefined
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  companyId = admin.user.companyId
  whatsappId = admin.user.whatsappId!
})
afterEach(async () => {
  await line?.close()
  line = undefined
})
afterAll(() => app.close())

const inCompany = () => app.platform.scopes.inCompany(companyId)

/** A message that waits on a connection that sends when it is asked to; `reading` comes between a look's rows and what it does with them. */
async function waitingMessage(reading: (connection: ChannelConnection, contactId: number) => void) {
  const ticketId = await openTicket(admin)
  const { contactId } = await inCompany().transaction(async tx => (await loadTicket(tx, ticketId))!)
  const left: string[] = []
  let isOpen = false
  line = await claimConnection(app, { companyId, whatsappId })
  const session: ChannelSession = {
    ready: () => isOpen,
    send: async ({ body }, checkLease) => {
      await checkLease()
      left.push(body)
      return { is: 'sent' }
    },
    act: async () => ({ is: 'sent' }),
    download: async () => Promise.reject(new Error('nothing is here')),
    markRead: async () => {},
    type: async () => {},
    close: async () => {},
  }
  const lease = { ...line.lease, until: Number.POSITIVE_INFINITY }
  await line.rest()
  const to = { ticketId, contactId, whatsappId, userId: null, source: 'person' as const }
  const draft = { ...to, id: crypto.randomUUID(), body: 'Oi', createdAt: new Date().toISOString() }
  await inCompany().transaction(tx => post(tx, [draft]))
  const driver = { lib: 'simulator' as const, open: async () => session }
  const connection = openConnection(app.platform, driver, line.owner, lease)
  await connection.carryOut({ number: 1, wanted: 'on', pairNumber: '' })
  const { list } = connection.scope
  const woken: string[] = []
  let looks = 0
  connection.scope.list = async work => {
    const rows = await list(work)
    // the first look is for what is overdue
    if (++looks === 2) reading(connection, contactId)
    return rows
  }
  Object.assign(connection, { wake: (...kinds: string[]) => void woken.push(...kinds) })
  isOpen = true
  return { connection, contactId, left, woken, look: () => sendQueued(connection, session) }
}

test('a chat that becomes free while a look that leaves it out reads the outbox is looked at again', async () => {
  const { connection, contactId, left, woken, look } = await waitingMessage((open, id) => open.freeChat(id))
  connection.busyChats.outbox.add(contactId)
  await look()
  expect([left, woken]).toEqual([[], ['outbox']])
  await connection.drop()
})

test('a look leaves a chat that is reserved while it reads to whoever reserved it', async () => {
  const { connection, contactId, left, woken, look } = await waitingMessage((_, id) =>
    localSenders(app.platform, companyId).get(whatsappId)!.reserve(id),
  )
  await look()
  expect([left, connection.busyChats.outbox.has(contactId)]).toEqual([[], true])
  connection.freeChat(contactId)
  expect(woken).toEqual(['outbox'])
  await look()
  expect(left).toEqual(['Oi'])
  await connection.drop()
})

test('of several files of one call the second is withdrawn while the first is still sent', async () => {
  const ticketId = await openTicket(admin)
  const first = Promise.withResolvers<void>()
  const sent: string[] = []
  line = await claimConnection(
    app,
    { companyId, whatsappId },
    {
      async send({ externalId }, checkLease) {
        await checkLease()
        sent.push(externalId)
        await first.promise
        return { is: 'sent' }
      },
    },
  )
  await admin.get(messages.send, {
    params: { ticketId, companyId },
    body: { body: 'duas' },
    files: [photo(), photo()],
  })
  const shown = async () => (await admin.get(messages.list, { params: { ticketId } })).messages
  await until(() => sent.length > 0)
  const second = (await shown()).at(-1)!
  await admin.get(messages.remove, { params: { messageId: second.id, channel: 'whatsapp' } })
  first.resolve()
  await until(async () => (await shown()).at(-1)!.ack === 2)
  expect([sent.length, (await shown()).at(-1)!.body]).toEqual([1, expect.stringMatching(/duas$/)])
})
