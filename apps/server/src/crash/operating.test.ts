import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { ask, createDatabase, serverUrl } from '../../testing/postgres.ts'
import { type Process, runOperatorCommand, runToEnd, startProcess } from '../../testing/process.ts'
import { redisServer } from '../../testing/redis.ts'
import { freshStore } from '../../testing/store.ts'
import { openTestApp, until } from '../../testing/test-app.ts'
import { demoCommand } from '../demo.command.ts'
import { VERSION } from '../platform/observe/version.ts'
import { openDatabase } from '../platform/postgres/db.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const redis = await redisServer()
const missing = 'missing' in redis ? ` (${redis.missing})` : ''
const redisUrl = 'url' in redis ? redis.url : ''

const { leftovers, place } = trackLeftovers()
const JWT_SECRET = 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a'

describe.skipIf(missing)(`several processes on one database${missing}`, () => {
  const health = async ({ url }: Process) =>
    (await (await fetch(`${url}/health`)).json()) as { status: string; database: string; redis?: string }

  test('share a folder; another folder is refused in one line, with the way out', async () => {
    const store = await freshStore()
    leftovers.push(store.remove)
    const env = { ...store.env, REDIS_URL: redisUrl }
    const web = await startProcess({ ...env, ROLES: 'web' })
    const worker = await startProcess({ ...env, ROLES: 'worker' })
    const elsewhere = place()
    const channels = { ...env, ROLES: 'channels', DATA_DIR: elsewhere }
    const { how, output } = await runToEnd(channels)
    const mark = readFileSync(join(store.env.DATA_DIR!, 'files', 'place'), 'utf8')
    expect([how, output.trim().split('\n')]).toEqual([
      1,
      [
        `DATA_DIR ${elsewhere} is not where the other processes of this database keep files: give all of them the same ` +
          `folder, or S3_BUCKET. If those files are gone for good: write ${mark} into ${join(elsewhere, 'files', 'place')}`,
      ],
    ])
    writeFileSync(join(elsewhere, 'files', 'place'), mark)
    const third = await startProcess(channels)

    // each reports its health, whatever it does
    for (const process of [web, worker, third]) {
      expect(await health(process)).toEqual({ status: 'ok', version: VERSION, database: 'up', redis: 'up' })
      expect((await fetch(`${process.url}/metrics`)).status).toBe(200)
    }
    expect((await fetch(`${worker.url}/tickets`)).status).toBe(404)
    for (const process of [web, worker, third]) await process.stop()
  })
})

test('one alone whose folder is another logs it and serves', async () => {
  const store = await freshStore()
  leftovers.push(store.remove)
  const lines: string[] = []
  const env = { ...store.env, DATA_DIR: place(), LOG_LEVEL: 'warn' }
  const database = openDatabase(store.env.DATABASE_URL!)
  const moved = await openTestApp(env, { database, logTo: { write: line => lines.push(line) } })
  leftovers.push(moved.close)
  expect(lines.join('')).toMatch(/files were kept in another place \(folder [0-9a-f-]+\)/)
  expect((await fetch(`${moved.url}/health`)).status).toBe(200)
})

test('a trial becomes no production by itself: it is refused, its demo is removed after a question, and then it serves', async () => {
  const store = await freshStore()
  leftovers.push(store.remove)
  const production = { ...store.env, DEMO: '', NODE_ENV: 'production' }
  const { how, output } = await runToEnd(production)
  expect([how, sentencesOf(output)]).toEqual([
    1,
    [
      expect.stringMatching(
        /^The database of DATABASE_URL holds 6 accounts of the demo, .*npm run demo -- remove/,
      ),
    ],
  ])
  const unasked = await runToEnd(production, ['../src/demo.ts', 'remove'])
  expect([unasked.how, unasked.output.trim().split('\n').at(-1)]).toEqual([1, 'Nothing was changed'])
  expect(unasked.output).toContain('Lume Móveis, with everything of it: admin@balcao.test, ')
  const removed = await runOperatorCommand(demoCommand, production, ['remove', '--yes'])
  expect([removed.how, removed.output]).toEqual([0, expect.stringContaining('The demo was taken away')])
  const product = await startProcess({
    ...production,
    ...{ MASTER_EMAIL: 'master@balcao.test', MASTER_PASSWORD: 'senha-da-dona', LOG_LEVEL: 'info' },
  })
  expect(sentencesOf(product.output())).toContain('The master user master@balcao.test was made.')
  await until(async () => (await store.rows('select id from companies')).length === 1)
  await product.stop()
  expect(sentencesOf(product.output()).at(-1)).toBe('Balcão has stopped')
})

/** What a process in production printed: every line is JSON. */
const sentencesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { msg: string }).msg)

describe('a database whose user may not create roles', () => {
  test('is refused in one line, and serves once an administrator gave it the role', async () => {
    const { url, drop } = await createDatabase()
    const user = `balcao_poor_${randomBytes(4).toString('hex')}`
    await ask(serverUrl(), `create role ${user} login password '${new URL(serverUrl()).password}'`)
    leftovers.push(() => ask(serverUrl(), `drop role ${user}`), drop)
    await ask(
      url,
      `grant all on schema public to ${user}; grant create on database ${new URL(url).pathname.slice(1)} to ${user}`,
    )
    const its = new URL(url)
    its.username = user
    const env = { DATABASE_URL: its.href, JWT_SECRET, DEMO: '0', DATA_DIR: place() }
    await ask(
      serverUrl(),
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
    await ask(serverUrl(), `grant balcao_tenant to ${user}`)
    await (await startProcess(env)).stop()
  })
})
