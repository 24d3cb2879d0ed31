import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { storeIn } from '../../testing/embedded.ts'
import { trackLeftovers } from '../../testing/leftovers.ts'
import { ask } from '../../testing/postgres.ts'
import { runOperatorCommand, startProcess } from '../../testing/process.ts'
import { until } from '../../testing/test-app.ts'
import { backupCommand } from '../backup.command.ts'
import { VERSION } from '../platform/observe/version.ts'
import { openDatabase } from '../platform/postgres/db.ts'
import { openEmbedded } from '../platform/postgres/embedded/embedded.ts'
import { migrationsFolder } from '../platform/postgres/migrate.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const { leftovers, place } = trackLeftovers()

const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
  entries: { tag: string }[]
}
const [baseline, ...newer] = entries.map(({ tag }) => tag)

/** A DATA_DIR as the first version left it: the schema of the baseline, and three companies. */
async function firstVersion() {
  const dataDir = place()
  const embedded = await openEmbedded(dataDir, { shared: false })
  const database = openDatabase(embedded.url)
  await database.script('create role balcao_tenant nologin')
  for (const statement of readFileSync(join(migrationsFolder, `${baseline}.sql`), 'utf8').split(
    '--> statement-breakpoint',
  ))
    await database.script(statement)
  await database.script(`
    create table migrations (name text primary key, at timestamptz not null default now(), version text);
    insert into migrations (name, version) values ('${baseline}', '0.1.0');
    insert into companies (name) values ('Lume'), ('Outra'), ('Clínica')`)
  await database.close()
  await embedded.close()
  writeFileSync(join(dataDir, 'secret'), 'Yd0vT2r7Qm5xKp9sLw3uZb8nHc4fGj6a-Yd0vT2r7')
  return storeIn(dataDir, () => rmSync(dataDir, { recursive: true, force: true }))
}

/** Somebody writes from the moment at which the database answers until `isOver`. */
async function writing(store: ReturnType<typeof storeIn>, isOver: () => boolean) {
  const taken: string[] = []
  const { url } = await until(() => store.server()?.isReady && store.server(), 60_000)
  await until(async () => {
    const name = `Escrita ${taken.length}`
    if (await ask(url, `insert into companies (name) values ('${name}')`).catch(() => null)) taken.push(name)
    return isOver()
  }, 100_000)
  return taken
}

const linesOf = (output: string) =>
  output
    .split('\n')
    .flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))

test('an upgrade of the first version says what it changes, backs the database up, loses nothing that is written meanwhile, and has a way back', async () => {
  const store = await firstVersion()
  leftovers.push(store.remove)
  const folder = join(store.dataDir, 'backups')
  mkdirSync(folder)
  writeFileSync(join(folder, 'before-0.1.0-20260101T000000Z.zip'), '')
  utimesSync(join(folder, 'before-0.1.0-20260101T000000Z.zip'), 1, 1)
  const env = { DATA_DIR: store.dataDir, DEMO: '0', LOG_LEVEL: 'info', UPGRADE_BACKUPS: '1' }
  let serves = false
  const written = writing(store, () => serves)
  const product = await startProcess(env)
  serves = true
  const taken = await written
  expect(taken.length).toBeGreaterThan(0)

  const [first, ...log] = linesOf(product.output())
  expect(first).toMatchObject({ msg: 'Balcão starts', version: VERSION, database: 'embedded' })
  const upgrade = log.findIndex(({ msg }) => msg === 'the database is brought up to date')
  expect(log[upgrade]).toMatchObject({ from: '0.1.0', to: VERSION, pending: newer })
  expect(log[upgrade + 1]).toMatchObject({
    msg: 'the database was backed up before it is brought up to date',
  })
  expect(await (await fetch(`${product.url}/health`)).json()).toMatchObject({
    status: 'ok',
    version: VERSION,
  })
  const names = (await store.rows('select name from companies')).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Lume', 'Outra', 'Clínica', ...taken]))
  await product.stop()
  expect(linesOf(product.output()).slice(-2)).toMatchObject([
    { msg: 'asked to stop: what has begun is finished', signal: 'SIGTERM' },
    { msg: 'Balcão has stopped', seconds: expect.any(Number) },
  ])

  const [backup, ...others] = readdirSync(folder).filter(name => name.endsWith('.zip'))
  expect([others, backup]).toEqual([[], expect.stringMatching(`^before-${VERSION}-\\d{8}T\\d{6}Z\\.zip$`)])
  expect((statSync(join(folder, backup!)).mode & 0o777).toString(8)).toBe('600')
  const back = storeIn(place(), () => {})
  const restored = await runOperatorCommand(backupCommand, { DATA_DIR: back.dataDir }, [
    'restore',
    join(folder, backup!),
  ])
  expect([restored.how, restored.output]).toEqual([0, expect.stringContaining('It holds no files')])
  const opened = await openEmbedded(back.dataDir, { shared: false })
  leftovers.push(opened.close)
  expect(await ask(opened.url, 'select name from migrations')).toEqual([{ name: baseline }])
  expect((await ask(opened.url, `select from companies where name = 'Lume'`)).length).toBe(1)
})
