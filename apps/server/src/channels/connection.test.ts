import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../testing/connection.ts'
import { newNumber } from '../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import type { ChannelSession, SessionHost } from '../driver.ts'
import { whatsappLeases } from '../features/connections/connections.table.ts'
import { post } from '../features/messages/messages.actions.ts'
import { readTopic, typeTopic } from '../features/messages/messages.events.ts'
import { chatOn } from '../features/simulator/simulator.queries.ts'
import { createSignals } from '../platform/live/signals.ts'
import { eq, sql as tag } from '../platform/postgres/sql.ts'
import { listenToNotices } from './notices.ts'
import { openConnection } from './open.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const write = (number: string) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
const pendingOf = async (number: string) =>
  (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
    ticket => ticket.contact.number === number,
  )
const isWaiting = async (number: string) => (await pendingOf(number)) !== undefined
const leaseEnds = (seconds: number) =>
  app.platform.scopes
    .platform()
    .transaction(sql =>
      sql.execute(
        tag`update whatsapp_leases set expires_at = now() + ${seconds} * interval '1 second' where whatsapp_id = ${whatsappId}`,
      ),
    )

/** A session on which nothing happens. */
const silent: ChannelSession = {
  ready: () => false,
  send: async () => ({ is: 'unknown', reason: 'offline' }),
  act: async () => ({ is: 'unknown', reason: 'offline' }),
  download: async () => Promise.reject(new Error('nothing is here')),
  markRead: async () => {},
  type: async () => {},
  close: async () => {},
}

test('who asks too late whether he owns a connection never owns it again, and it is opened anew', async () => {
  const lease = { companyId: admin.user.companyId, whatsappId, epoch: 1, until: performance.now() + 50 }
  let host: SessionHost | undefined
  const open = async (given: SessionHost) => {
    host = given
    return silent
  }
  const connection = openConnection(app.platform, { lib: 'simulator', open }, 'nobody', lease)
  await connection.carryOut({ number: 1, wanted: 'on', pairNumber: '' })
  expect([host!.owns(), connection.isLost()]).toEqual([true, false])
  await expect.poll(() => host!.owns()).toBe(false)
  // a later answer of the database does not bring back a lease that was given up
  lease.until = performance.now() + 60_000
  expect([host!.owns(), connection.isLost()]).toEqual([false, true])
  await connection.drop()
})

test('a connection that does not open, for whatever reason, is opened anew', async () => {
  const lease = { companyId: admin.user.companyId, whatsappId, epoch: 1, until: performance.now() + 60_000 }
  const open = async () => {
    throw new Error('canceling statement due to statement timeout')
  }
  const connection = openConnection(app.platform, { lib: 'simulator', open }, 'nobody', lease)
  await connection.carryOut({ number: 1, wanted: 'on', pairNumber: '' })
  expect(connection.isLost()).toBe(true)
  await connection.drop()
})

test('a session that took its lease for lost is opened again, though the lease was kept', async () => {
  const [first, second] = [newNumber(), newNumber()]
  await write(first)
  await until(() => isWaiting(first))
  // for a moment the lease is over, as where the owner stood still between two looks
  await leaseEnds(-1)
  await write(second)
  for (const end = Date.now() + 300; Date.now() < end; ) await isWaiting(second)
  await leaseEnds(6)
  await expect.poll(() => isWaiting(second), { timeout: 12_000 }).toBe(true)
})

test('a notice that comes while the database is away is logged, and lost', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const signals = await createSignals({ redisUrl: null }, '', log)
  const { companyId } = admin.user
  const inCompany = app.platform.scopes.inCompany(companyId)
  const scope = { ...inCompany, read: () => Promise.reject(new Error('the database is away')) }
  const platform = { ...app.platform, signals, log }
  listenToNotices(connectionOf(platform, { companyId, whatsappId }, { scope, session: silent }))
  for (const topic of [readTopic(whatsappId), typeTopic(whatsappId)])
    signals.notify(topic, { contactId: 1, messages: [], state: 'composing' })
  await expect.poll(() => lines.filter(line => line.includes('the database is away'))).toHaveLength(2)
})

test('what another process wrote leaves within seconds, though its signal was lost', async () => {
  const number = newNumber()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  await write(number)
  const ticket = await until(() => pendingOf(number))
  const id = crypto.randomUUID()
  await scope.transaction(tx =>
    post(tx, [
      {
        ...{ id, ticketId: ticket.id, contactId: ticket.contactId, whatsappId, source: 'person' as const },
        ...{
          body: 'Até já',
          createdAt: new Date().toISOString(),
          dueAt: new Date(Date.now() + 3_600_000).toISOString(),
        },
      },
    ]),
  )
  // the simulated phone reported what came before, and gets no signal for this
  await app.database.script(`update messages set due_at = now() where id = '${id}'`)
  const onPhone = () => scope.read(tx => chatOn(tx, whatsappId, number))
  await until(async () => (await onPhone()).some(one => one.body === 'Até já'), 6_000)
})

test('a company that is switched off neither sends nor hears; what waited leaves when it is on again (OP-45) [OP-45]', async () => {
  const number = newNumber()
  const { companyId } = admin.user
  const scope = app.platform.scopes.inCompany(companyId)
  await write(number)
  const ticket = await until(() => pendingOf(number))
  const turn = (status: 0 | 1) =>
    app.database.script(`update companies set status = ${status} where id = ${companyId}`)
  const isHeld = async () => {
    const [row] = await app.platform.scopes.platform().transaction(sql =>
      sql
        .select({ is: tag<boolean>`${whatsappLeases.expiresAt} > now()` })
        .from(whatsappLeases)
        .where(eq(whatsappLeases.whatsappId, whatsappId)),
    )
    return row!.is
  }
  const onPhone = async () =>
    (await scope.read(tx => chatOn(tx, whatsappId, number))).filter(one => one.fromMe).map(one => one.body)

  await turn(0)
  await until(async () => !(await isHeld()), 15_000)
  await scope.transaction(tx =>
    post(tx, [
      {
        ...{ id: crypto.randomUUID(), ticketId: ticket.id, contactId: ticket.contactId, whatsappId },
        ...{ source: 'schedule', body: 'Até amanhã', createdAt: new Date().toISOString() },
      },
    ]),
  )
  for (const end = Date.now() + 1_500; Date.now() < end; ) expect(await isHeld()).toBe(false)
  expect(await onPhone()).toEqual([])
  await turn(1)
  await until(async () => (await onPhone()).includes('Até amanhã'), 15_000)
})
