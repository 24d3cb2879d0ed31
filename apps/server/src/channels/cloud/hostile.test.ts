import { createHmac } from 'node:crypto'
import { messageLogs } from '@balcao/contract/messageLogs.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CloudScene, setCloudScene } from '../../../testing/cloud.ts'
import { strangeOnes } from '../../../testing/strange.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let scene: CloudScene
let master: Person
beforeAll(async () => {
  scene = await setCloudScene({ webhooks: { backOff: [200] } })
  master = await scene.world.as('master@balcao.test')
})
afterAll(() => scene.end())

let last = 0
const newNumber = () => `551196${String(1_000_000 + ++last)}`
const seconds = () => `${Math.floor(Date.now() / 1000)}`

/** Whoever pays for an app knows its secret: what he signs is signed. */
async function post(body: unknown) {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body)
  const signature = `sha256=${createHmac('sha256', scene.meta.app.secret).update(bytes).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const answer = await fetch(scene.webhook, { method: 'POST', body: bytes, headers })
  expect(answer.status).toBe(200)
}
const change = (value: object) => ({
  field: 'messages',
  value: { metadata: { phone_number_id: scene.meta.number.id }, ...value },
})
const incoming = (value: object) => ({ entry: [{ id: `${++last}`, changes: [change(value)] }] })
const written = (from: string, more: object = {}) =>
  incoming({
    messages: [
      { from, id: `wamid.H${++last}`, timestamp: seconds(), type: 'text', text: { body: 'Oi' }, ...more },
    ],
  })

/** A customer writes a normal message, which is received. */
async function isReceived() {
  const number = newNumber()
  await post(written(number))
  return scene.pending(number)
}
/** What both sides call a message of ours. */
const namesOf = async (messageId: string) => {
  const rows = await scene.world.database.transaction('', sql =>
    rowsFrom<{ wamid: string; external_id: string }>(
      sql,
      tag`select s.wamid, s.external_id from cloud_sent s
      join messages m on (m.company_id, m.external_id) = (s.company_id, s.external_id) where m.id = ${messageId}`,
    ),
  )
  const { wamid, external_id } = rows[0]!
  return { id: wamid, biz_opaque_callback_data: external_id }
}
const warnings = async () =>
  (await master.get(messageLogs.list, { query: { searchParamWitchError: 'warning' } })).messagesBruteLogs

const twice = { id: 'wamid.TWICE', status: 'sent', timestamp: '1', recipient_id: '5511970000000' }
const odd: [string, () => unknown][] = [
  ['a change that is nothing', () => ({ entry: [{ changes: [null] }] })],
  ['a value that is no object', () => ({ entry: [{ changes: [{ field: 'messages', value: [null, 5] }] }] })],
  [
    'messages that are nothing',
    () => incoming({ messages: [null, 7, 'x'], statuses: [null], contacts: [null] }),
  ],
  ['a body that is no text', () => written(newNumber(), { text: { body: { a: 1 } } })],
  ['an id that is no text', () => written(newNumber(), { id: { a: 1 } })],
  ['an id too long for any index', () => written(newNumber(), { id: 'w'.repeat(20_000) })],
  ['a time of the year 9999', () => written(newNumber(), { timestamp: '253402300799' })],
  ['a time beyond all calendars', () => written(newNumber(), { timestamp: '1e300' })],
  [
    'two messages under one name',
    () => incoming({ statuses: ['A', 'B'].map(of => ({ ...twice, biz_opaque_callback_data: of })) }),
  ],
  [
    'a name of a thousand levels',
    () => `{"entry":[{"changes":[{"value":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}]}`,
  ],
]

test.each(odd)('%s is set aside, and who writes next is heard', async (_, make) => {
  await post(make())
  await isReceived()
})

test('what can never be taken stands in the raw log with its error', async () => {
  const logs = await until(async () => {
    const found = (await warnings()).filter(log => log.messageId.startsWith('delivery'))
    return found.length > 0 && found
  })
  expect(logs.some(log => log.details0.includes('wamid.TWICE'))).toBe(true)
  expect(logs.every(log => log.type === 'strange' && JSON.parse(log.JsonValue).why !== '')).toBe(true)
})

test('a time of the year 9999 neither keeps the window open nor the ticket on top', async () => {
  const number = newNumber()
  await post(written(number, { timestamp: '253402300799' }))
  const ticketId = await scene.pending(number)
  const ticket = await scene.admin.get(tickets.show, { params: { ticketId } })
  const day = Date.now() + 24 * 3_600_000
  expect(Date.parse(ticket.repliesUntil!)).toBeLessThanOrEqual(day)
  expect(Date.parse(ticket.updatedAt)).toBeLessThanOrEqual(Date.now())
})

test('a file whose id is a path is never asked for: the message stands, its file is gone', async () => {
  const number = newNumber()
  const image = { id: `../v1.0/${scene.meta.number.id}?fields=url`, mime_type: 'image/png', sha256: '' }
  await post(written(number, { type: 'image', text: undefined, image }))
  const ticketId = await scene.pending(number)
  await until(async () => (await scene.said(ticketId))[0]?.media?.state === 'failed')
  expect(scene.meta.unknown).toEqual([])
})

const SEED = Number(process.env.SOAK_SEED ?? 7)

test(`forty deliveries drawn at random (seed ${SEED}) hold nobody up, and all are settled`, async () => {
  const strange = strangeOnes(SEED)
  for (let sent = 0; sent < 40; sent++) {
    const drawn = strange.delivery()
    await post({
      entry: [{ id: `${++last}`, changes: [drawn && { ...change({}), ...change({ ...drawn.value }) }] }],
    })
  }
  await isReceived()
  const open = () =>
    scene.world.database.transaction('', sql =>
      rowsFrom<{ n: number }>(
        sql,
        tag`select count(*)::int as n from cloud_deliveries where handled_at is null`,
      ),
    )
  await until(async () => (await open())[0]!.n === 0)
})

async function failed(error: object, statuses: string[]) {
  const number = newNumber()
  const ticketId = await scene.conversation(number)
  scene.meta.state.customers.find(one => one.number === number)!.online = false
  const sent = await scene.send(ticketId, 'tarde demais')
  const state = async () => (await scene.said(ticketId)).find(one => one.id === sent.id)!
  await until(async () => (await state()).ack >= 2)
  await scene.meta.settled()
  const names = await namesOf(sent.id)
  for (const status of statuses) {
    const errors = status === 'failed' ? { errors: [error] } : {}
    await post(
      incoming({ statuses: [{ ...names, status, timestamp: seconds(), recipient_id: number, ...errors }] }),
    )
    await isReceived()
  }
  return { ticketId, message: await state(), number }
}

test('what failed stays failed when "sent" comes behind it, and is delivered when it was', async () => {
  const undeliverable = { code: 131026, title: 'Message undeliverable' }
  const { message } = await failed(undeliverable, ['failed', 'sent'])
  expect([message.ack, message.failReason]).toEqual([0, 'ERR_WAPP_INVALID_CONTACT'])
  const other = await failed(undeliverable, ['failed', 'sent', 'delivered'])
  expect([other.message.ack, other.message.failReason]).toEqual([3, ''])
})

test('the window that Meta says is over is over on the ticket, until the customer writes', async () => {
  const { ticketId, message, number } = await failed({ code: 131047, title: 'Re-engagement' }, ['failed'])
  expect(message.failReason).toBe('ERR_WAPP_WINDOW_CLOSED')
  const until = async () =>
    Date.parse((await scene.admin.get(tickets.show, { params: { ticketId } })).repliesUntil!)
  expect(await until()).toBeLessThanOrEqual(Date.now())
  await post(written(number))
  await isReceived()
  expect(await until()).toBeGreaterThan(Date.now() + 23 * 3_600_000)
})
