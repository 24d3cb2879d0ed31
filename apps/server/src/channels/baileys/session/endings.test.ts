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
  const nowhere = await newSession({ url: 'ws://127.0.0.1:1/ws/chat' }, host, { firstMs: 20, mostMs: 50 })
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
