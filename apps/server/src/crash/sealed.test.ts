import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { embeddedStore } from '../../testing/embedded.ts'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { ask } from '../../testing/postgres.ts'
import { runOperatorCommand, runToEnd } from '../../testing/process.ts'
import { s3Server } from '../../testing/s3.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore } from '../../testing/store.ts'
import { backupCommand } from '../backup.command.ts'
import { sendLog } from '../platform/backup/log.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/observe/log.ts'
import { openEmbedded } from '../platform/postgres/embedded/embedded.ts'

vi.setConfig({ testTimeout: 360_000 })

const { leftovers, place } = trackLeftovers()
const BACKUP_KEY = 'b1f0c9a7e5d3428697a0b1c2d3e4f506'
const run = (env: Record<string, string>, ...words: string[]) => runOperatorCommand(backupCommand, env, words)

/** Where a restore dies, and where a backup: at which passage, and how many more there are then. The data, a file, the list of files; what is old. */
const everyDeath: [point: string, of: 'restore' | 'backup', nth: string, more: number][] = [
  ['platform/postgres/embedded/server.ts#startServer:before', 'restore', '0', 0],
  ['platform/postgres/embedded/server.ts#startServer:after', 'restore', '0', 0],
  ['platform/postgres/embedded/restore.ts#restore:before', 'restore', '0', 0],
  ['platform/backup/sealing.ts#sealingWith.seal:before', 'backup', '0', 0],
  ['platform/backup/sealing.ts#sealingWith.seal:before', 'backup', '1', 0],
  ['platform/backup/sealing.ts#sealingWith.seal:before', 'backup', '2', 0],
  ['platform/backup/retention.ts#removeOld:before', 'backup', '0', 1],
]
/** Each costs a restore: `npm test` tries one of all. */
const deaths = sample(everyDeath, 1)

/** An embedded database that this process serves, whose log is sent, with two files of people. */
async function served() {
  const store = await embeddedStore()
  leftovers.push(store.remove)
  const { dataDir } = store
  const embedded = await openEmbedded(dataDir, { shared: false })
  leftovers.push(embedded.close)
  const target = join(place(), 'target')
  const env = { DATA_DIR: dataDir, BACKUP_TO: `file:${target}`, BACKUP_KEY }
  const sender = sendLog(readConfig(env), embedded.url, createLog({ logLevel: 'silent' }), 500)!
  leftovers.push(sender.stop)
  for (const name of ['aa', 'bb']) {
    const folder = join(dataDir, 'files', '9', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}${'0'.repeat(30)}.png`), name)
  }
  const rows = (query: string) => ask(embedded.url, query)
  await vi.waitUntil(
    async () => (await rows(`select from settings where key = 'backups.log'`)).length > 0,
    20_000,
  )
  return { dataDir, env, target, rows }
}

test('any moment behind a backup is restored from the log, whole, and a backup or restore that is killed leaves what was there', async () => {
  const { dataDir, env, target, rows } = await served()
  const made = await run(env, 'backup')
  expect([made.how, made.output]).toEqual([
    0,
    expect.stringMatching(
      / holds the backup \S+: \d+ bytes, of which \d+ were sent\. \d companies, .* rows\. 2 files were compared\.\n$/,
    ),
  ])
  await rows(`insert into settings (key, value) values ('mark', 'before')`)
  const [{ at }] = (await rows(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
  )) as [{ at: string }]
  await rows(`select pg_sleep(0.01)`)
  await rows(`update settings set value = 'after' where key = 'mark'`)
  // a file that came behind the backup
  const late = join('9', 'cc', `cc${'0'.repeat(30)}.png`)
  mkdirSync(join(dataDir, 'files', '9', 'cc'))
  writeFileSync(join(dataDir, 'files', late), 'cc')
  expect(await run(env, 'backup', '--files')).toEqual({ how: 0, output: '' })
  const covered = `select from settings where key = 'backups.log' and (value::json->>'covers')::timestamptz > '${at}'`
  await vi.waitUntil(async () => (await rows(covered)).length > 0, 60_000)

  const copy = place()
  const to = { ...env, DATA_DIR: copy }
  for (const [point] of deaths.filter(([, of]) => of === 'restore')) {
    const died = await runToEnd({ ...to, DIE_AT: point }, ['../src/backup.ts', 'restore', '--at', at])
    expect(died.how, died.output).toBe('SIGKILL')
  }
  const restored = await run(to, 'restore', '--at', at)
  expect([restored.how, restored.output]).toEqual([0, expect.stringContaining(`is as it was at ${at}: `)])
  const again = await openEmbedded(copy, { shared: false })
  expect(await ask(again.url, `select value from settings where key = 'mark'`)).toEqual([{ value: 'before' }])
  await again.close()
  expect(readFileSync(join(copy, 'files', late), 'utf8')).toBe('cc')
  const over = await run(to, 'restore', '--newest')
  expect([over.how, over.output]).toEqual([1, expect.stringContaining('is in use already')])
  const early = await run({ ...env, DATA_DIR: place() }, 'restore', '--at', '2020-01-01T00:00Z')
  expect(early.output).toMatch(/^All backups are newer than 2020-01-01T00:00:00\.000Z/)
  const other = await run({ ...to, BACKUP_KEY: `${BACKUP_KEY}0` }, 'restore', '--list')
  expect(other.output).toContain('sealed with another BACKUP_KEY than this')

  const names = readdirSync(target, { recursive: true, encoding: 'utf8' })
  expect(readFileSync(join(target, names.find(name => name.endsWith('index'))!)).includes('cluster')).toBe(
    false,
  )
  const ofBackups = deaths.filter(([, of]) => of === 'backup')
  if (ofBackups.length === 0) return
  const list = async () => (await run(env, 'restore', '--list')).output.trim().split('\n').length
  const before = await list()
  for (const [point, , nth, more] of ofBackups) {
    const known = await list()
    const died = await runToEnd({ ...env, DIE_AT: point, DIE_NTH: nth }, ['../src/backup.ts', 'backup'])
    expect(
      died.how,
      died.output +
        (await run(env, 'restore', '--list')).output +
        readdirSync(target, { recursive: true }).join('\n'),
    ).toBe('SIGKILL')
    expect(await list()).toBe(known + more)
    // the server ends what the dead process was doing
    const locks = `select from pg_locks where locktype = 'advisory' and objid = 7262476`
    await vi.waitUntil(async () => (await rows(locks)).length === 0, 20_000)
  }
  expect((await run(env, 'backup')).how).toBe(0)
  expect(await list()).toBeGreaterThan(before)
  const states = await rows(`select distinct state from backups order by 1`)
  expect(states).toEqual([{ state: 'ended' }, { state: 'verified' }])
})

test('a database on a server goes into a bucket with its rows, and is restored into an empty folder with the same secret alone', async () => {
  const store = await freshStore()
  leftovers.push(store.remove)
  const bucket = await s3Server()
  leftovers.push(bucket.close)
  const own = {
    BACKUP_TO: `s3://${bucket.s3.bucket}/noite`,
    BACKUP_KEY,
    BACKUP_S3_ENDPOINT: bucket.s3.endpoint!,
    BACKUP_S3_REGION: bucket.s3.region,
    BACKUP_S3_ACCESS_KEY_ID: bucket.s3.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: bucket.s3.secretAccessKey,
  }
  const env = { ...store.env, ...own } as Record<string, string>
  const made = await run(env, 'backup')
  expect([made.how, made.output]).toEqual([0, expect.stringMatching(/balcao\/noite\/ holds the backup/)])
  expect(bucket.paths().every(path => path.startsWith('/balcao/noite/'))).toBe(true)
  const copy = place()
  const into = { ...own, DATA_DIR: copy }
  expect((await run(into, 'restore', '--newest')).output).toContain(
    'JWT_SECRET takes the one of the installation',
  )
  const restored = await run({ ...into, JWT_SECRET: env.JWT_SECRET! }, 'restore', '--newest')
  expect([restored.how, restored.output]).toEqual([
    0,
    expect.stringMatching(/ is as it was at \S+: \d+ companies/),
  ])
  bucket.close()
  const away = await run(env, 'backup')
  expect([away.how, away.output]).toEqual([
    1,
    expect.stringMatching(/balcao\/noite\/ does not accept or answer \(/),
  ])
  expect(await store.rows('select state, found from backups order by id desc limit 1')).toEqual([
    { state: 'failed', found: expect.stringContaining('does not accept or answer') },
  ])
})
