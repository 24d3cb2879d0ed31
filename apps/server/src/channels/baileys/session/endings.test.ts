import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSession, openHost, type Scene, SHOP, setScene } from '../../../../testing/whatsapp.ts'
import { LeaseLost } from '../../../driver.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})
afterEach(() => scene.end())

const reports = () => scene.host.states.length

test('a logout takes the device off the phone', async () => {
  expect(scene.phone.companions()).toHaveLength(1)
  await scene.session.close({ logout: true })
  await until('the removal', () => scene.phone.companions().length === 0)
  expect(scene.session.ready()).toBe(false)
})

test('a session that is closed says nothing more and leaves the device linked', async () => {
  await scene.session.close({ logout: false })
  const before = reports()
  await scene.ana.write(SHOP, 'alguém aí?')
  await sleep(200)
  expect(scene.phone.companions()).toHaveLength(1)
  expect(reports()).toBe(before)
  expect(scene.host.messages()).toEqual([])
  expect((await scene.say('não')).outcome).toMatchObject({ is: 'unknown' })
})

test('a device that the phone removes is disconnected, without its keys, and does not try again', async () => {
  scene.phone.unlink()
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  expect(scene.host.state).toMatchObject({ statusReason: 'ERR_WAPP_LOGGED_OUT', qrcode: '', retries: 0 })
  expect([...scene.host.rows.keys()]).toEqual([])
  const before = reports()
  await sleep(300)
  expect(reports()).toBe(before)
  await scene.reopen()
  await until('a new QR code', () => scene.host.state.status === 'qrcode')
})

test('a login that is refused for good ends the same way', async () => {
  scene.server.faults.refuse(401)
  scene.server.dropSockets(SHOP)
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  expect([...scene.host.rows.keys()]).toEqual([])
})

test('a session whose number logs in elsewhere stops and keeps its keys', async () => {
  const thief = openHost()
  for (const [key, value] of scene.host.rows) thief.rows.set(key, value)
  const other = await newSession(scene.server, thief)
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  expect(scene.host.state.statusReason).toBe('ERR_WAPP_REPLACED')
  await sleep(300)
  expect(other.ready()).toBe(true)
  expect(scene.host.rows.size).toBeGreaterThan(800)
  await other.close({ logout: false })
})

test.each([
  [402, 'ERR_WAPP_TEMP_BANNED', '402 101'],
  [406, 'ERR_WAPP_BANNED', '406 101'],
])('a login that is refused with %i ends as %s and keeps its keys', async (code, reason, fall) => {
  scene.server.faults.refuse(code, { expire: '3600', code: '101' })
  scene.server.dropSockets(SHOP)
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  expect(scene.host.state.statusReason).toBe(reason)
  expect(scene.host.falls.at(-1)).toEqual({ reason, code: fall })
  expect(scene.host.rows.size).toBeGreaterThan(800)
  const { statusUntil } = scene.host.state
  const hours = statusUntil && (Date.parse(statusUntil) - Date.now()) / 3_600_000
  if (code === 402) expect(hours).toBeCloseTo(1, 1)
  else expect(hours).toBe(null)
})

test('a ban that ends lets the session in again, also in a process that started meanwhile', async () => {
  scene.server.faults.refuse(402, { expire: '2' })
  scene.server.dropSockets(SHOP)
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  const tries = scene.server.tally.logins.get(SHOP)
  scene.server.faults.refuse(undefined)
  await scene.reopen()
  expect(scene.host.states.at(-1)).toBe('DISCONNECTED')
  await until('the connection', () => scene.host.state.status === 'CONNECTED')
  expect(scene.host.state).toMatchObject({ statusReason: '', statusUntil: null })
  expect(scene.server.tally.logins.get(SHOP)).toBe(tries! + 1)
  scene.server.faults.refuse(402, { expire: '3600' })
  scene.server.dropSockets(SHOP)
  await until('the end', () => scene.host.state.status === 'DISCONNECTED')
  // an admin orders another try: the row says that it opens
  scene.server.faults.refuse(undefined)
  await scene.session.close({ logout: false })
  scene.host.state.status = 'OPENING'
  await scene.reopen()
  await until('the connection', () => scene.host.state.status === 'CONNECTED')
})

test('a server that is not able to serve is left alone for a time, and asked again', async () => {
  scene.server.faults.refuse(503)
  scene.server.dropSockets(SHOP)
  await until('the rest', () => scene.host.states.includes('DISCONNECTED'), 20_000)
  expect(scene.host.falls.at(-1)).toEqual({ reason: 'ERR_WAPP_UNAVAILABLE', code: '503' })
  scene.server.faults.refuse(undefined)
  await until('the connection', () => scene.host.state.status === 'CONNECTED')
})

test('first messages that WhatsApp refuses are held until the restriction ends; people who wrote are answered', async () => {
  const eva = await scene.server.addPhone('5511933333333', { name: 'Eva' })
  const toEva = { kind: 'lid' as const, value: eva.account.lid }
  await scene.ana.write(SHOP, 'Oi')
  await until('the question', () => scene.host.messages().length === 1)
  const end = new Date(Date.now() + 3_600_000)
  scene.phone.restrict(end, { isQuiet: true })
  const held = await scene.say('Olá', toEva)
  expect(held.outcome).toMatchObject({ is: 'held', reason: 'ERR_WAPP_RESTRICTED' })
  expect(Math.abs(Date.parse(scene.host.restrictedUntil ?? '') - end.getTime())).toBeLessThan(2_000)
  expect((await scene.say('Bom dia')).outcome).toEqual({ is: 'sent' })
  scene.phone.restrict(null)
  await until('the notification', () => scene.host.restrictedUntil === null)
  scene.phone.restrict(end)
  await until('the other', () => scene.host.restrictedUntil !== null)
  // it is lifted while the session is closed
  await scene.session.close({ logout: false })
  scene.phone.restrict(null, { isQuiet: true })
  await scene.reopen()
  await until('the answer', () => scene.host.restrictedUntil === null)
  expect((await scene.say('Olá', toEva)).outcome).toEqual({ is: 'sent' })
  expect(eva.received()).toMatchObject([{ text: 'Olá', times: 1 }])
})

test.each([405, 503])('a server that answers %i is tried again until it lets the session in', async code => {
  scene.server.faults.refuse(code)
  scene.server.dropSockets(SHOP)
  await until('some tries', () => scene.host.state.retries >= 3)
  expect(scene.host.state.status).toBe('OPENING')
  expect(scene.session.ready()).toBe(false)
  scene.server.faults.refuse(undefined)
  await until('the connection', () => scene.session.ready())
  await until('the report', () => scene.host.state.status === 'CONNECTED')
  expect(scene.host.state.retries).toBe(0)
})

test('a server that cannot be reached is tried again', async () => {
  const host = openHost()
  const nowhere = await newSession({ url: 'ws://127.0.0.1:1/ws/chat' }, host, {
    firstMs: 20,
    mostMs: 50,
    restMs: 200,
  })
  await until('some tries', () => host.state.retries >= 3)
  expect(host.state).toMatchObject({ status: 'OPENING', qrcode: '' })
  await nowhere.close({ logout: false })
  const before = host.states.length
  await sleep(200)
  expect(host.states).toHaveLength(before)
})

test('a session whose connection another process took falls silent at once', async () => {
  scene.host.fault = () => {
    throw new LeaseLost()
  }
  await scene.ana.write(SHOP, 'para o novo dono')
  await until('the end', () => !scene.session.ready())
  scene.host.fault = () => {}
  await until('the message back at the server', () => !scene.server.online(SHOP))
  const before = [...scene.host.rows]
  await sleep(200)
  expect([...scene.host.rows]).toEqual(before)
  await scene.reopen()
  await until('the message', () => scene.host.messages().length === 1)
})
