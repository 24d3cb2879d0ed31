import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProxiedWire } from '../../../testing/proxy.ts'
import { redisServer } from '../../../testing/redis.ts'
import { until } from '../../../testing/world.ts'
import { openRedis } from './redis.ts'

vi.setConfig({ testTimeout: 120_000 })

const found = await redisServer()
const missing = 'missing' in found ? found.missing : ''
const redisUrl = 'url' in found ? found.url : ''
const installation = `test-${crypto.randomUUID()}`

/** What carries live news in one process, on a wire of its own to Redis, with one screen before it. */
async function onePlace() {
  const wire = await openProxiedWire(redisUrl)
  const redis = await openRedis(wire.over(redisUrl), installation, pino({ level: 'silent' }))
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
  const heard: string[] = []
  screen.onAny((...told) =>
    heard.push(
      told
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
  return { wire, server, heard }
}

describe.skipIf(missing)(`two processes over Redis${missing && ` (${missing})`}`, () => {
  test('what one says the other hears from the first moment on', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    one.server.emit('news')
    await until(() => other.heard.includes('news'))
    expect(one.heard).toEqual(['news'])
    expect(other.heard).toEqual(['news'])
  })

  test('while one cannot reach Redis its own screens hear at once; when it can, those of the other are told that they missed something', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    await one.wire.cut()
    one.server.emit('in the dark')
    await until(() => one.heard.includes('in the dark'), 5_000)
    expect(other.heard).toEqual([])
    await one.wire.mend()
    await until(() => one.heard.includes('gap') && other.heard.includes('gap'), 30_000)
    one.server.emit('again')
    await until(() => other.heard.includes('again'), 30_000)
  })

  test('what was said while the other could not hear is heard by it later, or it is told', async () => {
    const [one, other] = [await onePlace(), await onePlace()]
    await other.wire.cut()
    one.server.emit('unheard')
    await until(() => one.heard.includes('unheard'))
    await other.wire.mend()
    await until(() => other.heard.includes('unheard') && other.heard.includes('gap'), 30_000)
  })
})
