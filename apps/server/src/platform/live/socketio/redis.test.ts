import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProxiedWire } from '../../../../testing/proxy.ts'
import { redisServer } from '../../../../testing/redis.ts'
import { until } from '../../../../testing/test-app.ts'
import { openRedis } from './redis.ts'

vi.setConfig({ testTimeout: 120_000 })

const found = await redisServer()
const missing = 'missing' in found ? found.missing : ''
const redisUrl = 'url' in found ? found.url : ''
const installation = `test-${crypto.randomUUID()}`

/** What carries live news in one process, on a wire of its own to Redis, with one screen before it. */
async function onePlace(kept: { most?: number; keptMs?: number } = {}) {
  const wire = await openProxiedWire(redisUrl)
  const redis = await openRedis(wire.over(redisUrl), installation, pino({ level: 'silent' }), kept)
  const http = createServer()
  const server = new Server(http, {
    connectionStateRecovery: { maxDisconnectionDuration: 60_000 },
    adapter: redis.adapterOf,
  })
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  await redis.begin(
    () => server.to('nobody').emit('beat'),
    () => server.emit('gap'),
  )
  const { port } = http.address() as AddressInfo
  const screen = io(`http://127.0.0.1:${port}`, { transports: ['websocket'] })
  const received: string[] = []
  screen.onAny((...notified) =>
    received.push(
      notified
        .filter(one => typeof one === 'string')
        .slice(0, 1)
        .join(),
    ),
  )
  await until(() => screen.connected)
  onTestFinished(async () => {
    screen.disconnect()
    await server.close()
    await redis.close()
    await wire.close()
  })
  return { wire, server, received }
}

describe.skipIf(missing)(`two processes over Redis${missing && ` (${missing})`}`, () => {
  test('what one says the other hears from the first moment on', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    one.server.emit('news')
    await until(() => other.received.includes('news'))
    expect(one.received).toEqual(['news'])
    expect(other.received).toEqual(['news'])
  })

  test('while one cannot reach Redis its own screens hear at once; when it can, those of the other are told that they missed something', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    await one.wire.cut()
    one.server.emit('in the dark')
    await until(() => one.received.includes('in the dark'), 5_000)
    expect(other.received).toEqual([])
    await one.wire.mend()
    await until(() => one.received.includes('gap') && other.received.includes('gap'), 30_000)
    one.server.emit('again')
    await until(() => other.received.includes('again'), 30_000)
  })

  test('who reads so slowly that the stream was trimmed before is told that something is missing', async () => {
    const [one, other] = [await onePlace({ most: 100 }), await onePlace({ most: 100 })]
    one.server.emit('first')
    await until(() => other.received.includes('first'))
    other.wire.hold()
    for (let at = 0; at < 500; at++) one.server.emit('many', at)
    one.server.emit('last')
    await until(() => one.received.includes('last'))
    other.wire.flow()
    await until(() => other.received.includes('gap'), 30_000)
    expect(other.received.filter(notified => notified === 'many').length).toBeLessThan(500)
  })

  test('what was said while the other could not hear is heard by it later, or it is told', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    await other.wire.cut()
    one.server.emit('unheard')
    await until(() => one.received.includes('unheard'))
    await other.wire.mend()
    await until(() => other.received.includes('unheard') && other.received.includes('gap'), 30_000)
  })
})
