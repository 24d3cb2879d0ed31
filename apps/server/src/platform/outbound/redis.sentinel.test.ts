import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { until } from '../../../testing/test-app.ts'
import { isConnectionFailure } from '../errors.ts'
import { createSignals } from '../live/signals.ts'
import { freePort } from '../postgres/embedded/server.ts'
import { redisClientOnce } from './redis.client.ts'
import { openRedisAddress } from './redis.sentinel.ts'

vi.setConfig({ testTimeout: 120_000 })

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const lacks = ['redis-server', 'redis-sentinel'].filter(program => !has(program))
const missing = lacks.length > 0 ? ` (${lacks.join(', ')} not installed)` : ''
if (missing) console.log(`Redis behind sentinels is not tested:${missing}`)

const folder = mkdtempSync(join(tmpdir(), 'balcao-sentinel-'))
const started: ChildProcess[] = []
function start(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: 'ignore', cwd: folder })
  started.push(child)
  return child
}
const abandon = () => {
  for (const child of started) child.kill('SIGKILL')
}
process.once('exit', abandon)
afterAll(() => {
  abandon()
  rmSync(folder, { recursive: true, force: true })
})

/** What a server on this port answers; nothing while it does not. */
async function ask(port: string, ...words: string[]): Promise<string> {
  const client = redisClientOnce(`redis://127.0.0.1:${port}`)
  client.on('error', () => {})
  const answer = await client
    .connect()
    .then(() => client.sendCommand(words))
    .catch(() => '')
  if (client.isOpen) client.destroy()
  return JSON.stringify(answer)
}

test('while no sentinel answers the Redis counts as one that cannot be reached, which a start waits for', async () => {
  const address = await openRedisAddress('redis+sentinel://127.0.0.1:1/balcao')
  const client = redisClientOnce(address.url)
  client.on('error', () => {})
  const failure = await client.connect().catch((error: unknown) => error)
  expect(isConnectionFailure(failure)).toBe(true)
  address.close()
})

describe.skipIf(missing)(`a Redis with a second one and sentinels${missing}`, () => {
  test('when the one that leads dies, or has to follow, signals go on over the other', async () => {
    const [one, other, sentinel] = [await freePort(), await freePort(), await freePort()]
    const redis = (port: string, more: string[] = []) =>
      start('redis-server', [
        '--port',
        port,
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dbfilename',
        `${port}.rdb`,
        ...more,
      ])
    const first = redis(one)
    redis(other, ['--replicaof', '127.0.0.1', one])
    await until(async () => (await ask(other, 'info', 'replication')).includes('master_link_status:up'))
    writeFileSync(
      join(folder, 'sentinel.conf'),
      `port ${sentinel}\nbind 127.0.0.1\nsentinel monitor balcao 127.0.0.1 ${one} 1\nsentinel down-after-milliseconds balcao 500\nsentinel failover-timeout balcao 2000\n`,
    )
    start('redis-sentinel', [join(folder, 'sentinel.conf')])
    await until(async () => (await ask(sentinel, 'sentinel', 'replicas', 'balcao')).includes(other))

    const url = `redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel}/balcao`
    const processes = await Promise.all(
      [1, 2].map(async () => {
        const address = await openRedisAddress(url)
        const signals = await createSignals({ redisUrl: address.url }, 'test', pino({ level: 'silent' }))
        return { address, signals }
      }),
    )
    const [here, there] = processes.map(({ signals }) => signals)
    const received: unknown[] = []
    there!.listen('outbox', payload => received.push(payload))
    const arrives = (payload: string) =>
      until(() => {
        here!.notify('outbox', payload)
        return received.includes(payload)
      }, 60_000)
    await arrives('over the first')

    first.kill('SIGKILL')
    await until(
      async () => (await ask(sentinel, 'sentinel', 'get-master-addr-by-name', 'balcao')).includes(other),
      60_000,
    )
    await arrives('over the second')
    await until(() => here!.redis() === 'up' && there!.redis() === 'up', 60_000)

    redis(one, ['--replicaof', '127.0.0.1', other])
    await until(async () => (await ask(one, 'info', 'replication')).includes('master_link_status:up'), 60_000)
    await until(async () => (await ask(sentinel, 'sentinel', 'failover', 'balcao')) === '"OK"', 60_000)
    await until(
      async () => (await ask(sentinel, 'sentinel', 'get-master-addr-by-name', 'balcao')).includes(one),
      60_000,
    )
    await arrives('over the first again')
    for (const { signals, address } of processes) {
      await signals.close()
      address.close()
    }
  })
})
