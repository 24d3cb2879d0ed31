import { connect, createServer, type Server, type Socket } from 'node:net'
import { createClient } from 'redis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { traced, traceNow } from '../observe/trace.ts'
import { createSignals, type Signals } from './signals.ts'

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('Signals over Redis are not tested: set TEST_REDIS_URL to a Redis server')

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** The signals of one process, and what it logs. */
async function someProcess(url: string | null) {
  const logged: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: line => void logged.push(JSON.parse(line).msg) })
  const signals = await createSignals({ redisUrl: url }, 'test', log)
  opened.push(signals)
  return { ...signals, logged }
}

function hears(signals: Signals, topic: string) {
  const received: unknown[] = []
  signals.listen(topic, payload => received.push(payload))
  return received
}

describe('within one process', () => {
  it('a signal is heard at once by those who listen to its topic', async () => {
    const signals = await someProcess(null)
    const [one, other] = [hears(signals, 'outbox'), hears(signals, 'outbox')]
    const elsewhere = hears(signals, 'inbox')
    signals.notify('outbox', { whatsappId: 7 })
    signals.notify('outbox')
    expect(one).toEqual([{ whatsappId: 7 }, undefined])
    expect(other).toEqual(one)
    expect(elsewhere).toEqual([])
  })

  it('who listens is outside of the trace of who sent the signal, and is told it', async () => {
    const signals = await someProcess(null)
    const received: unknown[] = []
    signals.listen('outbox', (_payload, trace) => received.push([trace, traceNow()]))
    traced('of a request', () => signals.notify('outbox'))
    expect(received).toEqual([['of a request', undefined]])
  })

  it('who stopped listening hears no more', async () => {
    const signals = await someProcess(null)
    const received: unknown[] = []
    const stop = signals.listen('outbox', payload => received.push(payload))
    stop()
    signals.notify('outbox', 1)
    expect(received).toEqual([])
  })

  it('a listener that fails, at once or later, disturbs neither the others nor the one who sends it', async () => {
    const signals = await someProcess(null)
    signals.listen('error', () => {
      throw new Error('at once')
    })
    signals.listen('error', async () => {
      throw new Error('later')
    })
    const received = hears(signals, 'error')
    signals.notify('error', 1)
    expect(received).toEqual([1])
    await vi.waitFor(() => expect(signals.logged).toEqual(['a listener failed', 'a listener failed']))
  })
})

it('without an answer from Redis the process itself still hears, and the outage is logged once', async () => {
  const refusing = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise(resolve => refusing.once('listening', resolve))
  opened.push(refusing)
  const signals = await someProcess(`redis://127.0.0.1:${(refusing.address() as { port: number }).port}`)
  const received = hears(signals, 'outbox')
  signals.notify('outbox', 1)
  expect(received).toEqual([1])
  await new Promise(resolve => setTimeout(resolve, 700))
  signals.notify('outbox', 2)
  expect(received).toEqual([1, 2])
  expect(signals.logged).toEqual(['Redis does not answer: pushes and signals stay within this process'])
})

/** A way to Redis that can be cut and mended. */
async function wayTo(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const pairs = new Set<Socket>()
  const listen = (at: number) =>
    new Promise<Server>(resolve => {
      const server = createServer(socket => {
        const there = connect(Number(port || 6379), hostname)
        for (const end of [socket, there]) {
          pairs.add(end)
          end.on('error', () => {}).on('close', () => pairs.delete(end))
        }
        socket.pipe(there).pipe(socket)
      })
      server.listen(at, '127.0.0.1', () => resolve(server))
    })
  let server = await listen(0)
  const at = (server.address() as { port: number }).port
  const cut = () => {
    server.close()
    for (const end of pairs) end.destroy()
  }
  opened.push({ close: cut })
  return {
    url: `redis://127.0.0.1:${at}${pathname}`,
    cut,
    mend: async () => {
      server = await listen(at)
    },
  }
}

/** Repeats until the other side receives: connections are made in the background. */
const untilReceived = (send: () => void, received: unknown[]) =>
  vi.waitFor(
    () => {
      send()
      expect(received.length).toBeGreaterThan(0)
    },
    { timeout: 4000, interval: 50 },
  )

describe.skipIf(!redisUrl)('over Redis', () => {
  it('a signal reaches the other processes once, and the own one once', async () => {
    const [here, there] = [await someProcess(redisUrl!), await someProcess(redisUrl!)]
    const topic = `outbox ${Math.random()}`
    const ready = hears(there, `ready ${topic}`)
    await untilReceived(() => here.notify(`ready ${topic}`), ready)

    const [receivedHere, receivedThere] = [hears(here, topic), hears(there, topic)]
    here.notify(topic, { whatsappId: 7, name: 'olá' })
    await vi.waitFor(() => expect(receivedThere).toHaveLength(1))
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(receivedThere).toEqual([{ whatsappId: 7, name: 'olá' }])
    expect(receivedHere).toEqual([{ whatsappId: 7, name: 'olá' }])
  })

  it('an outage is survived and logged once, and so is its end', async () => {
    const way = await wayTo(redisUrl!)
    const [here, there] = [await someProcess(way.url), await someProcess(redisUrl!)]
    const topic = `outbox ${Math.random()}`
    const received = hears(here, topic)
    await untilReceived(() => there.notify(topic), received)

    way.cut()
    await vi.waitFor(() => expect(here.logged).toHaveLength(1))
    received.length = 0
    here.notify(topic, 'alone')
    expect(received).toEqual(['alone'])

    await way.mend()
    await vi.waitFor(() => expect(here.logged).toHaveLength(2), { timeout: 5000 })
    received.length = 0
    await untilReceived(() => there.notify(topic, 'together'), received)
    expect(received[0]).toBe('together')
    expect(here.logged).toEqual([
      'Redis does not answer: pushes and signals stay within this process',
      'Redis answers again',
    ])
  }, 15_000)

  it('houses on other databases of one Redis do not hear each other, and rubbish is ignored', async () => {
    const at = (database: number) => Object.assign(new URL(redisUrl!), { pathname: `/${database}` }).href
    const [one, same, other] = [await someProcess(at(1)), await someProcess(at(1)), await someProcess(at(2))]
    const topic = `outbox ${Math.random()}`
    const [received, unheard] = [hears(same, topic), hears(other, topic)]
    await untilReceived(() => one.notify(topic), received)

    const stranger = createClient({ url: redisUrl })
    await stranger.connect()
    for (const text of ['rubbish', 'null', '{}']) await stranger.publish('balcao:1:signals', text)
    stranger.destroy()
    received.length = 0
    await untilReceived(() => one.notify(topic), received)
    expect(unheard).toEqual([])
  })
})
