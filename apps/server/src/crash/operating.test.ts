import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { ask, createDatabase, postgresServer } from '../../testing/postgres.ts'
import { freshFolder, type Process, runToEnd, startProcess } from '../../testing/process.ts'
import { openProxiedWire } from '../../testing/proxy.ts'
import { redisServer } from '../../testing/redis.ts'
import { until } from '../../testing/world.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const postgres = await postgresServer()
const redis = await redisServer()
const missing = [postgres, redis].flatMap(one => ('missing' in one ? [one.missing] : [])).join(', ')
const server = 'url' in postgres ? postgres.url : ''
const redisUrl = 'url' in redis ? redis.url : ''

const leftovers: (() => unknown)[] = []
afterAll(async () => {
  for (const remove of leftovers.reverse()) await remove()
})
const place = () => {
  const folder = freshFolder()
  leftovers.push(folder.remove)
  return folder.path
}
const JWT_SECRET = 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a'

describe.skipIf(missing)(`several processes on one database${missing && ` (${missing})`}`, () => {
  const shared = async (DATA_DIR = place()) => {
    const { url, drop } = await createDatabase(server)
    leftovers.push(drop)
    return { DATABASE_URL: url, JWT_SECRET, DEMO: '0', DATA_DIR }
  }
  const health = async ({ url }: Process) =>
    (await (await fetch(`${url}/health`)).json()) as { status: string; database: string; redis?: string }

  test('share a folder; another folder is refused in one line, with the way out', async () => {
    const env = { ...(await shared()), REDIS_URL: redisUrl }
    const web = await startProcess({ ...env, ROLES: 'web' })
    const worker = await startProcess({ ...env, ROLES: 'worker' })
    const elsewhere = place()
    const channels = { ...env, ROLES: 'channels', DATA_DIR: elsewhere }
    const { how, output } = await runToEnd(channels)
    const mark = readFileSync(join(env.DATA_DIR, 'files', 'place'), 'utf8')
    expect([how, output.trim().split('\n')]).toEqual([
      1,
      [
        `DATA_DIR ${elsewhere} is not where the other processes of this database keep files: give all of them the same ` +
          `folder, or S3_BUCKET. If those files are gone for good: write ${mark} into ${join(elsewhere, 'files', 'place')}`,
      ],
    ])
    writeFileSync(join(elsewhere, 'files', 'place'), mark)
    const third = await startProcess(channels)

    // each says how it is, whatever it does
    for (const process of [web, worker, third]) {
      expect(await health(process)).toEqual({ status: 'ok', database: 'up', redis: 'up' })
      expect((await fetch(`${process.url}/metrics`)).status).toBe(200)
    }
    expect((await fetch(`${worker.url}/tickets`)).status).toBe(404)
    for (const process of [web, worker, third]) await process.stop()
  })

  test('one alone whose folder is another is told so and serves', async () => {
    const env = await shared()
    await (await startProcess(env)).stop()
    const moved = await startProcess({ ...env, DATA_DIR: place() })
    expect(moved.output()).toMatch(/files were kept in another place \(folder [0-9a-f-]+\)/)
    await moved.stop()
  })

  test('health tells that Redis is away, and goes on', async () => {
    const wire = await openProxiedWire(redisUrl)
    const web = await startProcess({ ...(await shared()), REDIS_URL: wire.over(redisUrl) })
    await wire.cut()
    await until(async () => (await health(web)).redis === 'down')
    expect(await health(web)).toEqual({ status: 'ok', database: 'up', redis: 'down' })
    await web.stop()
    await wire.close()
  })

  test('a long outage of the database is told in lines, not in a stack for each try', async () => {
    const env = await shared()
    const wire = await openProxiedWire(server)
    const web = await startProcess({ ...env, DATABASE_URL: wire.over(env.DATABASE_URL) })
    const before = web.output().length
    await wire.cut()
    await until(async () => (await health(web)).database === 'down')
    for (let asked = 0; asked < 6; asked++) await health(web)
    const end = Date.now() + 4_000
    await until(() => Date.now() > end)
    const lines = web.output().slice(before).trim().split('\n')
    expect(lines.join('\n')).not.toMatch(/\n\s+at |"stack"/)
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.length).toBeLessThan(12)
    await wire.mend()
    await until(async () => (await health(web)).status === 'ok', 20_000)
    await web.stop()
    await wire.close()
  })
})

describe.skipIf(missing)(`a database whose user may not create roles${missing && ` (${missing})`}`, () => {
  test('is refused in one line, and serves once an administrator gave it the role', async () => {
    const { url, drop } = await createDatabase(server)
    const user = `balcao_poor_${randomBytes(4).toString('hex')}`
    await ask(server, `create role ${user} login`)
    leftovers.push(() => ask(server, `drop role ${user}`), drop)
    await ask(
      url,
      `grant all on schema public to ${user}; grant create on database ${new URL(url).pathname.slice(1)} to ${user}`,
    )
    const its = new URL(url)
    its.username = user
    const env = { DATABASE_URL: its.href, JWT_SECRET, DEMO: '0', DATA_DIR: place() }
    await ask(
      server,
      `do $$ begin create role balcao_tenant; exception when duplicate_object then null; end $$`,
    )
    const { how, output } = await runToEnd(env)
    expect([how, output.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(
          /^DATABASE_URL: its user lacks a right \(.*balcao_tenant.*\)\. It may create roles, or/,
        ),
      ],
    ])
    await ask(server, `grant balcao_tenant to ${user}`)
    await (await startProcess(env)).stop()
  })
})
