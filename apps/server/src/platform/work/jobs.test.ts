import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/database.ts'
import { openTestApp, type TestApp, until } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { product } from '../../product.ts'
import { type Feature, itemsOf } from '../features.ts'
import { orphans } from '../files/orphans.ts'
import { removal } from '../files/served.ts'
import { traced, traceNow } from '../observe/trace.ts'
import { nightlyBackup } from '../postgres/embedded/nightly.ts'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import type { Scope } from '../scope.ts'
import { ClaimLost } from './job-rows.ts'
import { chore, job } from './jobs.ts'
import { forgettingOld } from './retention.ts'

const done: { companyId: number; word: string; trace?: string }[] = []
const lines: string[] = []
let failures = 0
const remember = job<{ word: string }>('test.remember', async ({ companyId }, { word }) => {
  if (word === 'twice' && failures++ === 0) throw new Error('not the first time')
  const trace = traceNow()
  done.push({ companyId, word, ...(word === 'traced' && trace && { trace }) })
})

/** Jobs that go on until they are released, in the order in which they began. */
const begun: { companyId: number; end(): void }[] = []
const lasting = job<object>(
  'test.lasting',
  ({ companyId }) => new Promise<void>(end => void begun.push({ companyId, end })),
)

/** The first try is frozen while the second, of another process, does the work. */
const tries: string[] = []
let release = () => {}
const frozen = job<object>(
  'test.frozen',
  async scope => {
    const isFirst = tries.length === 0
    tries.push('begun')
    if (isFirst) await new Promise<void>(resolve => (release = resolve))
    await scope
      .transaction(async tx => void (await tx.sql.execute(tag`select 1`)))
      .then(
        () => tries.push(isFirst ? 'the first wrote' : 'the second wrote'),
        error => {
          tries.push(error instanceof ClaimLost ? 'the first was refused' : String(error))
          throw error
        },
      )
  },
  { ofOne: 2 },
)

/** The product's own jobs, with their bounds: each try goes on. */
const kinds = itemsOf(features, 'job').map(({ name }) => name)
const ofKinds: { name: string; companyId: number }[] = []
const withLasting = (feature: Feature): Feature => ({
  ...feature,
  jobs: (feature.jobs ?? []).map(one =>
    one.kind === 'job'
      ? {
          ...one,
          run: ({ companyId }: Scope) =>
            new Promise<void>(() => void ofKinds.push({ name: one.name, companyId })),
        }
      : one,
  ),
})

let app: TestApp
beforeAll(async () => {
  const feature = { name: 'test', jobs: [remember, lasting, frozen] }
  app = await openTestApp(
    { LOG_LEVEL: 'warn' },
    {
      product: { ...product, features: [...features.map(withLasting), feature] },
      logTo: { write: line => lines.push(line) },
    },
  )
})
afterAll(() => app.close())

test('a job is done in its company when its transaction commits, and never when it does not', async () => {
  const scope = app.platform.scopes.inCompany(2)
  await scope.transaction(tx => tx.enqueue(remember, { word: 'kept' }))
  const lost = scope.transaction(async tx => {
    await tx.enqueue(remember, { word: 'lost' })
    await tx.sql.execute(tag`select 1 / 0`)
  })
  await expect(lost).rejects.toThrow()
  await until(() => done.some(({ word }) => word === 'kept'), 10_000)
  expect(done).toEqual([{ companyId: 2, word: 'kept' }])
})

test('a job carries the trace of what asked for it', async () => {
  const scope = app.platform.scopes.inCompany(2)
  await traced('of a request', () => scope.transaction(tx => tx.enqueue(remember, { word: 'traced' })))
  await until(() => done.some(({ word }) => word === 'traced'))
  expect(done.find(({ word }) => word === 'traced')).toMatchObject({ trace: 'of a request' })
})

test('a job that fails is tried again, and the log says why', async () => {
  await app.platform.scopes.inCompany(3).transaction(tx => tx.enqueue(remember, { word: 'twice' }))
  await until(() => done.some(({ word }) => word === 'twice'), 20_000)
  expect(failures).toBe(2)
  expect(lines.filter(line => line.includes('test.remember'))).toEqual([
    expect.stringMatching(/not the first time.*a job failed/),
  ])
})

test('companies whose jobs last keep no other from its first one: it begins beside them, or with the next that ends', async () => {
  const add = (companyId: number) =>
    app.platform.scopes.inCompany(companyId).transaction(tx => tx.enqueue(lasting, {}))
  for (let many = 0; many < 20; many++) await add(11)
  await until(() => begun.length > 0)
  await add(12)
  await until(() => begun.some(({ companyId }) => companyId === 12), 10_000)
  expect(begun.map(({ companyId }) => companyId)).toEqual([11, 12])
  // every place is taken by companies that have more to do
  for (const companyId of [12, 13, 13, 14, 14]) await add(companyId)
  await until(() => begun.length === 4, 10_000)
  await add(15)
  // one statement finds what is due in all queues
  await app.platform.scopes.inCompany(15).transaction(tx => tx.enqueue(remember, { word: 'found' }))
  await until(() => done.some(({ word }) => word === 'found'), 10_000)
  begun[0]!.end()
  await until(() => begun.length === 5, 10_000)
  expect(begun.map(({ companyId }) => companyId)).toEqual([11, 12, 13, 14, 15])
  await app.database.script(`delete from pgboss.job where name = 'test.lasting' and state < 'active'`)
  for (const { end } of begun) end()
})

test('of every kind of job a flood of one company keeps no other from its first: it begins before any of the flood ends', async () => {
  const add = (companyId: number, many: number) =>
    app.platform.scopes.inCompany(companyId).transaction(async tx => {
      for (const one of itemsOf(features, 'job')) for (let at = 0; at < many; at++) await tx.enqueue(one, {})
    })
  await add(21, 25)
  const begunOf = (companyId: number) =>
    new Set(ofKinds.filter(one => one.companyId === companyId).map(({ name }) => name)).size
  await until(() => begunOf(21) === kinds.length, 20_000)
  await add(22, 1)
  await until(() => begunOf(22) === kinds.length, 20_000)
  await app.database.script(`delete from pgboss.job where (data->>'companyId')::int in (21, 22)`)
})

test('all that works in the background is named with its bounds in docs/mechanisms.md, and nothing else is', () => {
  const page = readFileSync(new URL('../../../../../docs/mechanisms.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('## Whose turn it is'), page.indexOf('## Who answers a customer'))
  const named = [...table.matchAll(/^\| `([\w.]+)` \| (\w+) \|/gm)].map(([, name, kind]) => `${kind} ${name}`)
  const jobs = [removal, ...itemsOf(features, 'job')].map(({ name }) => `job ${name}`)
  const ofPlatform = [orphans, nightlyBackup, forgettingOld([])]
  const chores = [...ofPlatform, ...itemsOf(features, 'chore')].map(({ name }) => `chore ${name}`)
  const dues = itemsOf(features, 'due').map(({ name }) => `due ${name}`)
  const roles = product.roles.map(({ name }) => `role ${name}`)
  expect(named.toSorted()).toEqual([...new Set([...jobs, ...chores, ...dues, ...roles])].toSorted())
  for (const { name, atOnce, ofOne } of [removal, ...itemsOf(features, 'job')])
    expect(table, name).toMatch(
      new RegExp(`^\\| \`${name}\` \\| job \\| ${atOnce}, of one ${ofOne} \\|`, 'm'),
    )
})

test('a process that was frozen while another took its job over writes nothing, and ends nothing', async () => {
  await app.platform.scopes.inCompany(2).transaction(tx => tx.enqueue(frozen, {}))
  await until(() => tries.length === 1, 10_000)
  await app.database.script(
    `update pgboss.job set state = 'retry', start_after = now() where name = 'test.frozen'`,
  )
  await until(() => tries.includes('the second wrote'), 10_000)
  const state = tag`select state::text, retry_count as tries from pgboss.job where name = 'test.frozen'`
  const ended = () => app.database.transaction('', sql => rowsFrom(sql, state))
  await until(async () => JSON.stringify(await ended()).includes('completed'))
  release()
  await until(() => tries.length === 4)
  expect(tries).toEqual(['begun', 'begun', 'the second wrote', 'the first was refused'])
  expect(await ended()).toEqual([{ state: 'completed', tries: 1 }])
})

test('a nightly chore that three days of downtime kept from running runs once', async () => {
  const database = await freshDatabase()
  const kept = { ...database, close: async () => {} }
  let nights = 0
  const hour = (new Date().getUTCHours() + 12) % 24
  const nightly = chore('test.nightly', `30 ${hour} * * *`, async () => void nights++)
  const open = () => {
    const features = [...product.features, { name: 'test', jobs: [nightly] }]
    return openTestApp({}, { product: { ...product, features }, database: kept })
  }
  const ran = (statement: SQL) => database.transaction('', sql => rowsFrom(sql, statement))
  const first = await open()
  await until(
    async () => (await ran(tag`select 1 from pgboss.version where cron_on is not null`)).length > 0,
    40_000,
  )
  await first.close()
  expect(nights).toBe(0)
  await ran(tag`update pgboss.version set cron_on = now() - interval '3 days'`)
  await ran(tag`update pgboss.schedule set created_on = now() - interval '9 days'`)
  const second = await open()
  await until(() => nights > 0, 40_000)
  await until(
    async () =>
      (await ran(tag`select 1 from pgboss.job where name = 'test.nightly' and state < 'completed'`))
        .length === 0,
    20_000,
  )
  expect(nights).toBe(1)
  await second.close()
  await database.close()
}, 90_000)
