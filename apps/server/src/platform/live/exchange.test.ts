import { pino } from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask, createDatabase } from '../../../testing/postgres.ts'
import { openProxiedWire } from '../../../testing/proxy.ts'
import { until } from '../../../testing/test-app.ts'
import { Exchange, type ExchangeText, OF_PROCESSES } from './exchange.ts'
import { createSignals } from './signals.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let url: string

beforeAll(async () => {
  const database = await createDatabase()
  url = database.url
  return database.drop
})

/** The exchange of one process on a wire of its own, what it read, and what it may have lost. */
async function someProcess(given: ConstructorParameters<typeof Exchange>[2] = {}) {
  const wire = await openProxiedWire(url)
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: line => void logged.push(JSON.parse(line).msg) })
  const exchange = new Exchange(wire.over(url), log, given)
  const read: string[] = []
  const lost: (number | null)[] = []
  exchange.hear('screens', text => void read.push(text))
  exchange.onLoss(company => void lost.push(company))
  await exchange.open()
  onTestFinished(async () => {
    await exchange.close()
    await wire.close()
  })
  const say = (text: string, company = 1, placed?: ExchangeText['placed']) =>
    exchange.send({ channel: 'screens', company, text, ...(placed && { placed }) })
  return { exchange, wire, logged, read, lost, say }
}

describe('between processes over PostgreSQL', () => {
  test('all read everything in one order, each its own at its place too', async () => {
    const processes = [await someProcess(), await someProcess(), await someProcess()]
    const orders = processes.map(() => [] as string[])
    for (const [at, { exchange, say }] of processes.entries()) {
      exchange.hear('screens', text => void orders[at]!.push(text))
      for (let n = 0; n < 100; n++) say(`${at}:${n}`, at, id => id && orders[at]!.push(`${at}:${n}`))
    }
    await until(() => orders.every(order => order.length === 300))
    expect(orders[1]).toEqual(orders[0])
    expect(orders[2]).toEqual(orders[0])
    expect(orders[0]!.filter(text => text.startsWith('2:'))).toEqual(
      Array.from({ length: 100 }, (_, n) => `2:${n}`),
    )
  })

  test('a text of any length and any characters arrives whole, once, the same text twice twice; above a bound its company may have lost it', async () => {
    const [one, other] = [await someProcess(), await someProcess()]
    const texts = ['olá 👋\u0000\n"\\', '😀'.repeat(40_000), 'x'.repeat(7_801), 'same', 'same']
    for (const text of texts.map(text => JSON.stringify(text))) one.say(text)
    await until(() => other.read.length === texts.length)
    expect(other.read.map(text => JSON.parse(text))).toEqual(texts)
    const placed = vi.fn()
    one.say('y'.repeat(1_000_001), 7, placed)
    expect(placed).toHaveBeenCalledExactlyOnceWith(null)
    await until(() => one.lost.includes(7))
    expect(one.lost).toEqual([7])
  })

  test('who sends without an end keeps no company waiting: the others have their turn, and only its own screens fetch', async () => {
    const [one, other] = [
      await someProcess({ bounds: { texts: 5_000, bytes: 50_000_000 } }),
      await someProcess(),
    ]
    for (let n = 0; n < 20_000; n++) one.say(`flood ${n} ${'.'.repeat(1_000)}`, 1)
    one.say('of another company', 2)
    await until(() => other.read.includes('of another company'))
    expect(other.read.length).toBeLessThan(1_000)
    await until(() => one.lost.length > 0)
    expect(one.lost).toEqual([1])
    expect(other.read.filter(text => text.startsWith('flood'))).toHaveLength(5_000)
  })

  test('an outage loses what is sent meanwhile and says so, once; afterwards all goes on', async () => {
    const [one, other] = [await someProcess(), await someProcess()]
    await one.wire.cut()
    const placed = vi.fn()
    await until(() => !one.exchange.isReady())
    one.say('in the dark', 1, placed)
    expect(placed).toHaveBeenCalledExactlyOnceWith(null)
    expect(one.lost).toEqual([])
    await one.wire.mend()
    await until(() => one.lost.length > 0)
    expect(one.lost).toEqual([null])
    one.say('again')
    await until(() => other.read.includes('again'))
    expect(other.read).toEqual(['again'])
    expect(one.logged).toEqual([
      'the exchange does not work: pushes and signals stay within this process',
      'the exchange between processes works again',
    ])
  })

  test('a server that is silent, or ends the connection, is left for a new connection', async () => {
    const [one, other] = [await someProcess({ silentMs: 600 }), await someProcess()]
    one.wire.hold()
    await until(() => !one.exchange.isReady())
    one.wire.flow()
    await until(() => one.exchange.isReady())
    await ask(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'balcao exchange'`,
    )
    await until(() => other.lost.includes(null) && one.exchange.isReady())
    one.say('still there')
    await until(() => other.read.includes('still there'))
  })

  test('who has no screens sends for them, and reads nothing of what is for them', async () => {
    const [worker, web] = [await someProcess({ hasScreens: false }), await someProcess()]
    const placed = vi.fn()
    worker.say('news', 1, placed)
    web.say('others')
    await until(() => web.read.includes('news') && placed.mock.calls.length > 0)
    expect(worker.read).toEqual([])
  })

  test('signals reach the other processes once, with their trace, and what anybody notifies is ignored', async () => {
    const [one, other] = [await someProcess(), await someProcess()]
    const signalsOf = ({ exchange }: typeof one) =>
      createSignals({ redisUrl: null }, 'test', pino({ level: 'silent' }), exchange)
    const [here, there] = [await signalsOf(one), await signalsOf(other)]
    const [receivedHere, receivedThere] = [[] as unknown[], [] as unknown[]]
    here.listen('outbox', payload => receivedHere.push(payload))
    there.listen('outbox', payload => receivedThere.push(payload))
    await ask(
      url,
      `notify balcao_processes, 'nothing of ours'; notify balcao_processes;
        notify balcao_processes, 'x-1 1/1 ! rubbish'; notify other, 'x'`,
    )
    here.notify('outbox', { whatsappId: 7 })
    await until(() => receivedThere.length > 0)
    one.exchange.send({ channel: 'processes', company: OF_PROCESSES, text: 'unknown' })
    here.notify('outbox', 2)
    await until(() => receivedThere.length > 1)
    expect(receivedThere).toEqual([{ whatsappId: 7 }, 2])
    expect(receivedHere).toEqual(receivedThere)
    expect([here.isShared, here.redis()]).toEqual([true, null])
  })
})
