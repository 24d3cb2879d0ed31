import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/database.ts'
import { openTestApp, type TestApp, until } from '../../../testing/test-app.ts'
import { product } from '../../product.ts'
import { traced, traceNow } from '../observe/trace.ts'
import { rowsFrom, type SQL, sql as tag } from '../postgres/sql.ts'
import { chore, job } from './jobs.ts'

const done: { companyId: number; word: string; trace?: string }[] = []
const lines: string[] = []
let failures = 0
const remember = job<{ word: string }>('test.remember', async ({ companyId }, { word }) => {
  if (word === 'twice' && failures++ === 0) throw new Error('not the first time')
  const trace = traceNow()
  done.push({ companyId, word, ...(word === 'traced' && trace && { trace }) })
})

let app: TestApp
beforeAll(async () => {
  const feature = { name: 'test', jobs: [remember] }
  app = await openTestApp(
    { LOG_LEVEL: 'warn' },
    {
      product: { ...product, features: [...product.features, feature] },
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
