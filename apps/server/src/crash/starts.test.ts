import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { embeddedStore } from '../../testing/embedded.ts'
import { createDatabase } from '../../testing/postgres.ts'
import { freshFolder, runToEnd, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const leftovers: { remove(): unknown }[] = []
afterAll(async () => {
  for (const one of leftovers) await one.remove()
})
const place = () => {
  const folder = freshFolder()
  leftovers.push(folder)
  return folder.path
}
const secret = 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a'
const linesOf = (output: string) => output.trim().split('\n')

describe('a start that cannot go on says why in one line and ends with 1', () => {
  const wrong: [string, Record<string, string>, RegExp][] = [
    ['a port that is none', { PORT: 'abc' }, /^PORT takes a port number$/],
    [
      'an address of another kind',
      { DATABASE_URL: 'mysql://x' },
      /^DATABASE_URL takes an address that begins/,
    ],
    ['a server without a secret', { DATABASE_URL: 'postgres://127.0.0.1/x' }, /^JWT_SECRET .* is required/],
    ['a role that does not exist', { ROLES: 'web,cook' }, /^ROLES takes any of web,worker,channels$/],
    ['a time zone that does not exist', { TZ_DEFAULT: 'America/Balcao' }, /^TZ_DEFAULT takes a time zone/],
    ['a sender who has no address', { MAIL_FROM: 'Balcão' }, /^MAIL_FROM takes an e-mail address/],
    ['a logo that is not there', { LOGO_FILE: '/nowhere/logo.png' }, /^LOGO_FILE names a file that is not/],
  ]
  // each line is also proven without a process, in config.test.ts
  test.each(sample(wrong, 1))('%s', async (_, env, line) => {
    const { how, output } = await runToEnd({ DATA_DIR: place(), ...env })
    expect([how, linesOf(output)]).toEqual([1, [expect.stringMatching(line)]])
  })

  test('a port that somebody else listens on, before anything is made', async () => {
    const taken = createServer()
    await new Promise<void>(done => taken.listen(0, '127.0.0.1', done))
    const { port } = taken.address() as { port: number }
    const DATA_DIR = place()
    const { how, output } = await runToEnd({ DATA_DIR, DEMO: '0', PORT: String(port) })
    taken.close()
    expect([how, linesOf(output)]).toEqual([
      1,
      [`PORT ${port} is in use on 127.0.0.1: stop what listens there, or choose another`],
    ])
    expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false)
  })

  test('an address that is not here', async () => {
    const { how, output } = await runToEnd({ DATA_DIR: place(), HOST: '192.0.2.7' })
    expect([how, linesOf(output)]).toEqual([
      1,
      ['HOST 192.0.2.7 is no address of this machine (EADDRNOTAVAIL)'],
    ])
  })

  test('a folder that cannot be written', async () => {
    const file = join(place(), 'file')
    writeFileSync(file, '')
    const { how, output } = await runToEnd({ DATA_DIR: `${file}/data` })
    expect([how, linesOf(output)]).toEqual([
      1,
      [expect.stringMatching(/^DATA_DIR .*\/file\/data cannot be used \(ENOTDIR/)],
    ])
  })
})

test('a stop during the start ends it in good order: no database server outlives it', async () => {
  const store = await embeddedStore()
  leftovers.push(store)
  const started = startProcess(store.env)
  const ended = expect(started).rejects.toThrow('the process ended (0) before it served')
  await until(() => store.server()?.isReady)
  process.kill(Number(readFileSync(join(store.dataDir, 'lock.pid'), 'utf8')), 'SIGTERM')
  await ended
  await until(() => store.postgres().length === 0)
})

describe.concurrent('a folder on a disk that does not answer', () => {
  const places: [string, Record<string, string>][] = [
    ['the embedded database', {}],
    ['a database server', { DATABASE_URL: 'postgres://127.0.0.1:9/x', JWT_SECRET: secret }],
  ]
  test.each(sample(places, 1))('ends the start of %s in one line', async (_, env) => {
    const DATA_DIR = place()
    execFileSync('mkfifo', [join(DATA_DIR, 'trial')])
    const { how, output } = await runToEnd({ DATA_DIR, ...env })
    expect([how, linesOf(output)]).toEqual([
      1,
      [`DATA_DIR ${DATA_DIR} cannot be used (it does not answer within 30 s)`],
    ])
  })
})

/** The program that tries the folder is read from the disk for longer than a call to a disk may take. */
const SLOW_TRIAL = encodeURIComponent(
  `if(process.argv[1]?.includes('data-dir-trial'))await(new(Promise)(done=>setTimeout(done,31000)))`,
)

describe.concurrent('a server that never answers ends the start after half a minute of trying', () => {
  test('PostgreSQL, with a line for each try; that a program starts slowly on a busy disk is no fault of DATA_DIR', async () => {
    const { how, output } = await runToEnd({
      DATA_DIR: place(),
      NODE_OPTIONS: `--import data:text/javascript,${SLOW_TRIAL}`,
      DATABASE_URL: 'postgres://127.0.0.1:9/x',
      JWT_SECRET: secret,
    })
    const lines = linesOf(output)
    const tries = lines.slice(0, -1).map(line => JSON.parse(line) as { msg: string })
    expect(how).toBe(1)
    expect(tries.length).toBeGreaterThan(3)
    for (const { msg } of tries) expect(msg).toMatch(/^the database does not answer yet, trying again in/)
    expect(lines.at(-1)).toMatch(
      /^DATABASE_URL: the database at 127.0.0.1:9 does not answer \(connect ECONNREFUSED/,
    )
  })

  test('Redis', async () => {
    const { url: DATABASE_URL, drop } = await createDatabase()
    leftovers.push({ remove: drop })
    const { how, output } = await runToEnd({
      ...{ DATA_DIR: place(), DATABASE_URL, JWT_SECRET: secret },
      ...{ REDIS_URL: 'redis://127.0.0.1:9', LOG_LEVEL: 'error' },
    })
    expect([how, linesOf(output)]).toEqual([
      1,
      [
        expect.stringMatching(
          /^REDIS_URL: the Redis server at 127.0.0.1:9 does not answer \(connect ECONNREFUSED/,
        ),
      ],
    ])
  })
})
