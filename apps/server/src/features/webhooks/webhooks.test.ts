import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { MAX_WEBHOOKS, WebhookPayload, webhookChannel, webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../testing/receiver.ts'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import type { Chat } from '../../driver.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { deliveriesDue, forgetDeliveries } from './webhooks.queries.ts'

let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
let receiver: Receiver
let whatsappId: number

beforeAll(async () => {
  receiver = await startReceiver()
  app = await openTestApp({ OUTBOUND_ALLOW: '127.0.0.1', BACKEND_URL: 'https://api.loja.test' })
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  whatsappId = await rows.connection()
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
  )
})
afterAll(async () => {
  await app.close()
  receiver.close()
})
beforeEach(() => app.database.script('delete from webhooks'))

let last = 0
const path = () => `/aviso/${++last}`
const make = (at: string, more: object = {}, who = admin) =>
  who.get(webhooks.create, {
    body: {
      ...{ name: 'Loja virtual', url: receiver.url(at) },
      ...{ events: ['message.received', 'message.status', 'ticket.changed'], ...more },
    },
  })
const notified = (at: string) => receiver.told.filter(one => one.path === at)
const arrived = (at: string, count = 1) => until(() => notified(at).length >= count && notified(at))
const logOf = async (webhookId: number, query: object = {}) =>
  (await admin.get(webhooks.listDeliveries, { params: { webhookId }, query })).deliveries
/** What waits is due now. */
const later = () =>
  app.database.script('update webhook_deliveries set due_at = now() where due_at is not null')
const write = (number: string, body: string) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body } })

test('a conversation is told as it happens: each once, in its order, signed, in the shapes that are promised', async () => {
  const at = path()
  const { id: webhookId } = await make(at)
  const { secret } = await admin.get(webhooks.showSecret, { params: { webhookId } })
  const number = newNumber()
  await write(number, 'Vocês abrem hoje?')
  const [opened, received] = await until(() => {
    const heard = notified(at)
    return heard.some(({ type }) => type === 'message.received') && heard
  })
  expect([opened!.type, received!.type].sort()).toEqual(['message.received', 'ticket.changed'])
  const question = notified(at).find(({ type }) => type === 'message.received')!
  expect(question.data).toMatchObject({
    ...{ contactName: 'Rita', contactNumber: number, body: 'Vocês abrem hoje?', mediaType: null },
    ...{ ticketStatus: 'pending', isGroup: false },
  })
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, status: '' } })
  const { id: ticketId, uuid, contactId } = found[0]!
  const place = {
    ...{ ticketId, ticketUuid: uuid, ticketUrl: `https://api.loja.test/tickets/${uuid}` },
    ...{ connection: { id: whatsappId, name: found[0]!.whatsapp!.name }, contactId, contactLid: '' },
    contactUsername: '',
  }
  expect(question.data).toMatchObject({ ...place, author: null })
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'open', userId: admin.user.id } })
  const { id: messageId } = (await admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    body: { body: 'Até as 18h.' },
  })) as { id: string }
  const isRead = () =>
    notified(at).filter(({ data }) => data.messageId === messageId && data.status !== 'waiting')
  await until(() => isRead().length >= 1)
  const all = await until(async () => {
    const log = await logOf(webhookId)
    return log.every(({ state }) => state === 'done') && log
  })
  expect(notified(at).every(one => one.isSignedWith(secret))).toBe(true)
  for (const { body } of notified(at)) WebhookPayload.parse(JSON.parse(body))
  expect(
    notified(at)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(all.map(({ id }) => id).toSorted())
  expect(notified(at).map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed())
  const moved = notified(at).filter(({ type }) => type === 'ticket.changed')
  expect(moved.at(-1)!.data).toMatchObject({
    ...{ ticketStatus: 'open', user: { id: admin.user.id, name: admin.user.name } },
    before: { ticketStatus: 'pending' },
  })
  expect(notified(at).find(({ type }) => type === 'message.status')!.data).toEqual({
    ...{ ...place, messageId, reason: '', ticketProtocol: found[0]!.protocol },
    status: expect.stringMatching(/sent|delivered|read/),
  })
})

test('a group names its author, a customer without a number is known by LID, username and contact, and comes with the ad', async () => {
  const at = path()
  await make(at, { events: ['message.received'] })
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const receive = (chat: Chat, more: object = {}) =>
    scope.transaction(tx =>
      receiveMessage(tx, whatsappId, {
        ...{ kind: 'message' as const, chat, externalId: newNumber(), fromMe: false, name: 'Rita' },
        ...{ body: 'Oi', mediaType: null, at: new Date().toISOString(), ...more },
      }),
    )
  const number = newNumber()
  const author = { kind: 'phone' as const, value: number, name: 'Ana' }
  await receive({ kind: 'group', value: '120363000000000077' }, { author })
  const referral = {
    ...{ type: 'ad', sourceId: '42', sourceUrl: 'https://fb.me/x', headline: 'Bolos', body: '', app: '' },
    ...{ mediaType: '', mediaUrl: '', clickId: 'Aff', catalogId: '' },
  }
  await receive({ kind: 'lid', value: '987654321012345' }, { referral: { ...referral, thumbnail: '/9j/' } })
  await receive({ kind: 'cloud', value: 'BR.77', username: 'rita.luz' })
  const [inGroup, hidden, named] = await arrived(at, 3)
  expect(inGroup!.data).toMatchObject({ isGroup: true, author: { name: 'Ana', number }, referral: null })
  expect((hidden!.data as { referral: object }).referral).toEqual(referral)
  expect(hidden!.data).toMatchObject({
    ...{ contactNumber: '', contactLid: '987654321012345', author: null },
    contactId: expect.any(Number),
  })
  expect(named!.data).toMatchObject({ contactNumber: '', contactLid: '', contactUsername: 'rita.luz' })
})

test('what waits for a webhook that is switched off is not read while others are looked for', async () => {
  const at = path()
  const { id: webhookId } = await make(at, { isActive: false })
  await app.database.script(`insert into webhook_deliveries (company_id, webhook_id, event, cause, body, due_at)
    select ${admin.user.companyId}, ${webhookId}, 'message.status', 'cause ' || n, '{}', now() - interval '1 hour'
    from generate_series(1, 5000) n; analyze webhook_deliveries`)
  const blocks = await app.platform.scopes.platform().list(async sql => {
    const [row] = await rowsFrom<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      sql,
      tag`explain (analyze, buffers, format json) ${deliveriesDue(sql)}`,
    )
    const { Plan } = row!['QUERY PLAN'][0]
    return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
  })
  expect(blocks).toBeLessThan(50)
  await admin.get(webhooks.test, { params: { webhookId } })
  expect((await arrived(at)).map(({ type }) => type)).toEqual(['ping'])
})

test('what a customer deletes for everyone stands in no log of deliveries, and is sent again without its words', async () => {
  const at = path()
  const { id: webhookId } = await make(at, { events: ['message.received'] })
  const number = newNumber()
  const { id: messageId } = await write(number, 'Meu CPF é 123')
  await arrived(at)
  await admin.get(simulator.remove, { params: { whatsappId, messageId }, query: { number } })
  const [delivery] = await until(async () => {
    const log = await logOf(webhookId)
    return !JSON.stringify(log).includes('CPF') && log
  })
  await admin.get(webhooks.sendAgain, { params: { deliveryId: delivery!.id } })
  await arrived(at, 2)
  const again = WebhookPayload.parse(JSON.parse(notified(at).at(-1)!.body))
  expect(again.data).toMatchObject({ contactNumber: number, body: '', mediaType: null })
})

test('only what it asked for, only while it is on, and never what happens in another company', async () => {
  const [all, statuses, off, theirs] = [path(), path(), path(), path()]
  await make(all, { events: ['message.received'] })
  await make(statuses, { events: ['message.status'] })
  await make(off, { isActive: false })
  await make(theirs, {}, stranger)
  const number = newNumber()
  await write(number, 'um')
  await arrived(all)
  await write(number, 'dois')
  await arrived(all, 2)
  expect(notified(all).map(({ data }) => data.body)).toEqual(['um', 'dois'])
  expect([...notified(statuses), ...notified(off), ...notified(theirs)]).toEqual([])
  expect((await stranger.get(webhooks.list)).webhooks.map(({ url }) => url)).toEqual([receiver.url(theirs)])
})

test('the secret is kept nowhere in the clear, is in no list, and what leaves after it was renewed is signed with the new one', async () => {
  const at = path()
  const webhook = await make(at)
  const params = { webhookId: webhook.id }
  const { secret } = await admin.get(webhooks.showSecret, { params })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  const kept = await app.platform.scopes
    .inCompany(admin.user.companyId)
    .read(async tx => JSON.stringify(await tx.sql.execute('select * from webhooks')))
  expect(kept).not.toContain(secret)
  expect(JSON.stringify([webhook, await admin.get(webhooks.list)])).not.toContain('secret')
  const renewed = await admin.get(webhooks.renewSecret, { params })
  expect(renewed.secret).not.toBe(secret)
  await admin.get(webhooks.test, { params })
  const [ping] = await arrived(at)
  expect([ping!.type, ping!.isSignedWith(secret), ping!.isSignedWith(renewed.secret)]).toEqual([
    'ping',
    false,
    true,
  ])
})

test('what did not arrive is tried again under its id, its log says why, and it can be sent again', async () => {
  const at = path()
  const { id: webhookId } = await make(at)
  receiver.answer(at, 503)
  await admin.get(webhooks.test, { params: { webhookId } })
  const failed = await until(async () =>
    (await logOf(webhookId)).find(({ attempts, triedAt }) => attempts === 1 && triedAt),
  )
  expect(failed).toMatchObject({ state: 'waiting', status: 503, error: '', event: 'ping' })
  const shown = await admin.get(webhooks.show, { params: { webhookId } })
  expect(shown.lastFailure).toMatchObject({ status: 503 })
  expect(shown.failingSince).not.toBeNull()
  receiver.answer(at, null)
  await later()
  await arrived(at, 2)
  // what was answered before is no answer to the try that is under way
  expect(await logOf(webhookId)).toMatchObject([{ attempts: 2, state: 'waiting', status: null, error: '' }])
  receiver.answer(at, 204)
  await until(async () => (await logOf(webhookId, { state: 'done' })).length === 1)
  expect((await admin.get(webhooks.show, { params: { webhookId } })).failingSince).toBeNull()
  expect(await logOf(webhookId, { state: 'failed' })).toEqual([])
  const again = await admin.get(webhooks.sendAgain, { params: { deliveryId: failed!.id } })
  expect(again).toMatchObject({ id: failed!.id, state: 'waiting', attempts: 0 })
  await arrived(at, 3)
  expect(new Set(notified(at).map(({ id }) => id)).size).toBe(1)
  const theirs = await stranger.call(webhooks.sendAgain, { params: { deliveryId: failed!.id } })
  expect(theirs.status).toBe(404)
})

test('a try that ends after it was asked for anew changes nothing any more', async () => {
  const [hangs, at] = [path(), path()]
  receiver.answer(hangs, null)
  const { id: webhookId, name, events } = await make(hangs)
  const { id: deliveryId } = await admin.get(webhooks.test, { params: { webhookId } })
  await arrived(hangs)
  const body = { name, events, url: receiver.url(at), isActive: true }
  await admin.get(webhooks.change, { params: { webhookId }, body })
  await admin.get(webhooks.sendAgain, { params: { deliveryId } })
  await arrived(at)
  const done = await until(async () => (await logOf(webhookId, { state: 'done' }))[0])
  receiver.answer(hangs, 500)
  await write(newNumber(), 'Bom dia')
  await arrived(at, 2)
  expect((await logOf(webhookId)).find(({ id }) => id === deliveryId)).toEqual(done)
  expect((await admin.get(webhooks.show, { params: { webhookId } })).failingSince).toBeNull()
})

test('a private address is refused with the name of the field, and failed for good where a name leads there later', async () => {
  for (const url of [
    'http://10.0.0.1/aviso',
    'http://[::1]/aviso',
    'http://192.168.0.7/aviso',
    'https://eu:senha@loja.test/',
  ]) {
    const body = { name: 'Loja', url, events: ['message.status' as const] }
    const { status, body: refused } = await admin.call(webhooks.create, { body })
    expect([url, status, refused.error, refused.field]).toEqual([url, 400, 'ERR_WEBHOOK_ADDRESS', 'url'])
  }
  const bad = { name: 'Loja', url: 'loja.test', events: ['message.status' as const] }
  expect((await admin.call(webhooks.create, { body: bad })).body).toMatchObject({
    ...{ error: 'ERR_BAD_REQUEST', field: 'url' },
  })
  const none = { name: 'Loja', url: receiver.url('/'), events: [] }
  expect((await admin.call(webhooks.create, { body: none })).body.field).toBe('events')
  const { id: webhookId } = await make(path())
  await app.database.script(`update webhooks set url = 'http://10.0.0.1/'`)
  await admin.get(webhooks.test, { params: { webhookId } })
  const failed = await until(async () => (await logOf(webhookId, { state: 'failed' }))[0])
  expect(failed).toMatchObject({ error: 'forbidden', status: null, attempts: 1, dueAt: null })
})

test('who does not answer delays nobody else', async () => {
  const [dead, living] = [path(), path()]
  receiver.answer(dead, null)
  const { id: deadId } = await make(dead)
  const { id: livingId } = await make(living)
  for (let at = 0; at < 8; at++) await admin.get(webhooks.test, { params: { webhookId: deadId } })
  await until(() => notified(dead).length >= 5)
  const began = Date.now()
  await admin.get(webhooks.test, { params: { webhookId: livingId } })
  await arrived(living)
  // a try is given up after ten seconds
  expect(Date.now() - began).toBeLessThan(8_000)
  expect(notified(dead)).toHaveLength(5)
})

test('who answers 410, or is not reached for days, is switched off with the reason; switched on again it is told what waited', async () => {
  const [gone, lost] = [path(), path()]
  const [goneId, lostId] = [(await make(gone)).id, (await make(lost)).id]
  const heard = await admin.subscribe(webhookChannel)
  receiver.answer(gone, 410)
  receiver.answer(lost, 500)
  for (const webhookId of [goneId, lostId]) await admin.get(webhooks.test, { params: { webhookId } })
  const shown = (webhookId: number) => admin.get(webhooks.show, { params: { webhookId } })
  await until(async () => !(await shown(goneId)).isActive)
  expect(await shown(goneId)).toMatchObject({ offReason: 'gone', lastFailure: { status: 410 } })
  await until(async () => (await shown(lostId)).failingSince !== null)
  expect((await shown(lostId)).isActive).toBe(true)
  await write(newNumber(), 'Alguém?')
  await until(() => notified(lost).some(({ type }) => type === 'ticket.changed'))
  await app.database.script(`update webhooks set failing_since = now() - interval '73 hours'`)
  await later()
  await until(async () => (await shown(lostId)).offReason === 'failing')
  expect(heard.some(({ action }) => action === 'update')).toBe(true)
  receiver.answer(lost, 204)
  const { name, url, events } = await shown(lostId)
  const back = await admin.get(webhooks.change, {
    params: { webhookId: lostId },
    body: { name, url, events, isActive: true },
  })
  expect(back).toMatchObject({ isActive: true, offReason: '', failingSince: null })
  await later()
  await until(async () => (await logOf(lostId)).every(({ state }) => state === 'done'))
})

test('a company has ten; what is deleted is told nothing and leaves no log', async () => {
  for (let at = 0; at < MAX_WEBHOOKS; at++) await make(path())
  const body = { name: 'Loja', url: receiver.url('/'), events: ['message.status' as const] }
  const over = await admin.call(webhooks.create, { body })
  expect([over.status, over.body.error]).toEqual([409, 'ERR_TOO_MANY_WEBHOOKS'])
  const { webhooks: found } = await admin.get(webhooks.list)
  const params = { webhookId: found[0]!.id }
  await admin.get(webhooks.remove, { params })
  expect((await admin.call(webhooks.listDeliveries, { params })).status).toBe(404)
  await make(path())
})

test('deliveries older than thirty days are in no log', async () => {
  const at = path()
  const { id: webhookId } = await make(at)
  await admin.get(webhooks.test, { params: { webhookId } })
  await admin.get(webhooks.test, { params: { webhookId } })
  await arrived(at, 2)
  const [one] = await logOf(webhookId)
  await app.database.script(
    `update webhook_deliveries set created_at = now() - interval '31 days' where id = '${one!.id}'`,
  )
  await app.platform.scopes.platform().transaction(sql => forgetDeliveries(sql))
  expect(await logOf(webhookId)).toHaveLength(1)
})
