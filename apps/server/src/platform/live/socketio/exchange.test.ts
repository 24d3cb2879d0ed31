import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase } from '../../../../testing/postgres.ts'
import { openProxiedWire } from '../../../../testing/proxy.ts'
import { until } from '../../../../testing/test-app.ts'
import { Exchange } from '../exchange.ts'
import { adapterOver } from './exchange.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let url: string

beforeAll(async () => {
  const database = await createDatabase()
  url = database.url
  return database.drop
})

/** A process with screens; each joins the room of a company. */
async function onePlace() {
  const wire = await openProxiedWire(url)
  const exchange = new Exchange(wire.over(url), pino({ level: 'silent' }))
  await exchange.open()
  const http = createServer()
  const server = new Server(http, {
    connectionStateRecovery: { maxDisconnectionDuration: 60_000 },
    adapter: adapterOver(exchange),
  })
  server.on('connection', socket => {
    void socket.join(socket.handshake.auth.room)
    socket.data = { of: socket.handshake.auth.room }
  })
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await server.close()
    await exchange.close()
    await wire.close()
  }
  onTestFinished(close)
  return { wire, server, close, port: (http.address() as AddressInfo).port }
}

/** A screen before one process, which another one may take over: its client keeps what it knows. */
async function someScreen(place: { port: number }, room: string) {
  const screen = io(`http://127.0.0.1:${place.port}`, {
    transports: ['websocket'],
    reconnection: false,
    auth: { room },
    forceNew: true,
  })
  const received: string[] = []
  screen.onAny((...notified) => received.push(notified.slice(0, 2).join(' ')))
  onTestFinished(() => void screen.disconnect())
  const connected = () => until(() => screen.connected)
  await connected()
  return {
    screen,
    received,
    async moveTo({ port }: { port: number }) {
      Reflect.set(screen.io, 'uri', `http://127.0.0.1:${port}`)
      screen.connect()
      await connected()
    },
  }
}

const ROOM = 'company:7:everyone'

test('what one process pushes the screens of all receive once, but for other rooms', async () => {
  const [one, other] = [await onePlace(), await onePlace()]
  const [here, there, elsewhere] = [
    await someScreen(one, ROOM),
    await someScreen(other, ROOM),
    await someScreen(other, 'company:8:everyone'),
  ]
  for (let n = 0; n < 50; n++) one.server.to(ROOM).emit('news', n)
  other.server.to(ROOM).emit('news', 'last')
  await until(() => [here, there].every(({ received }) => received.length >= 51))
  expect(there.received.filter(news => news !== 'news last')).toEqual(
    Array.from({ length: 50 }, (_, n) => `news ${n}`),
  )
  expect(here.received).toEqual(there.received)
  expect(elsewhere.received).toEqual([])
})

test('a screen whose process stops gets from another what it missed, also from one that began after the last push', async () => {
  const one = await onePlace()
  const { screen, received, moveTo } = await someScreen(one, ROOM)
  one.server.to(ROOM).emit('news', 1)
  await until(() => received.length === 1)
  const other = await onePlace()
  await until(async () => (await one.server.of('/').adapter.serverCount()) === 2)
  const sid = screen.id
  await one.close()
  await until(() => !screen.connected)
  other.server.to(ROOM).emit('news', 2)
  other.server.to('company:8:everyone').emit('news', 'of others')
  await moveTo(other)
  expect([screen.recovered, screen.id]).toEqual([true, sid])
  other.server.to(ROOM).emit('news', 3)
  await until(() => received.length >= 3)
  expect(received).toEqual(['news 1', 'news 2', 'news 3'])
})

test('who missed more than is known begins anew', async () => {
  const one = await onePlace()
  const { screen, received, moveTo } = await someScreen(one, ROOM)
  one.server.to(ROOM).emit('news', 1)
  await until(() => received.length === 1)
  await one.close()
  const other = await onePlace()
  await moveTo(other)
  expect(screen.recovered).toBe(false)
})

test('while a process reaches no other its own screens receive at once', async () => {
  const [one, other] = [await onePlace(), await onePlace()]
  const [here, there] = [await someScreen(one, ROOM), await someScreen(other, ROOM)]
  await one.wire.cut()
  one.server.to(ROOM).emit('news', 'alone')
  await until(() => here.received.includes('news alone'))
  expect(there.received).toEqual([])
})

test('who has a screen open at any process is known at each', async () => {
  const [one, other] = [await onePlace(), await onePlace()]
  await Promise.all([someScreen(one, ROOM), someScreen(other, ROOM), someScreen(other, 'company:8:everyone')])
  await until(async () => (await one.server.timeout(1_000).in(ROOM).fetchSockets()).length === 2)
  await other.close()
  expect((await one.server.timeout(1_000).in(ROOM).fetchSockets()).map(({ data }) => data)).toEqual([
    { of: ROOM },
  ])
})
