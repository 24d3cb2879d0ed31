import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import { ask, serverUrl } from '../../testing/postgres.ts'
import { until } from '../../testing/test-app.ts'
import { event, payloadOf } from '../platform/events.ts'
import { refusalOf } from '../platform/http/error-answers.ts'
import { Memory } from '../platform/memory.ts'
import { createLog } from '../platform/observe/log.ts'
import type { Database } from '../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../platform/postgres/sql.ts'
import { scopes } from '../platform/scope.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.close())

const moved = event<{ who: string }>('test.moved')

const openScopes = (published: string[]) =>
  scopes({
    database,
    memory: new Memory(),
    log: createLog({ logLevel: 'error' }),
    timeZone: 'UTC',
    publish: (_scope, news) => published.push(...news.map(one => payloadOf(moved, one)!.who)),
    involve: async () => {},
    enqueue: async () => {},
  })

test('one that the database ends again and again is done again, published once, and given up at last', async () => {
  const published: string[] = []
  const { inCompany } = openScopes(published)
  let tries = 0
  const ended = (times: number, code: string) =>
    inCompany(1).transaction(async tx => {
      tx.emit(moved, { who: code })
      if (tries++ < times)
        await tx.sql.execute(tag.raw(`do $$ begin raise exception 'again' using errcode = '${code}'; end $$`))
      return 'done'
    })
  expect(await ended(4, '40P01')).toBe('done')
  tries = 0
  expect(await ended(4, '40001')).toBe('done')
  expect(published).toEqual(['40P01', '40001'])
  tries = 0
  await expect(ended(100, '40P01')).rejects.toThrow()
  expect(tries).toBe(6)
  tries = 0
  await expect(ended(1, '23505')).rejects.toThrow()
  expect(tries).toBe(1)
  expect(published).toHaveLength(2)
})

test('one that the database ends because the process was busy is done again, also where pg hides why', async () => {
  const published: string[] = []
  const { inCompany } = openScopes(published)
  let tries = 0
  const idle = (times: number) =>
    inCompany(1).transaction(async tx => {
      tx.emit(moved, { who: 'ana' })
      if (tries++ >= times) return 'done'
      const [row] = await rowsFrom<{ pid: number }>(
        tx.sql,
        tag`select pg_backend_pid() as pid, set_config('idle_in_transaction_session_timeout', '1', true)`,
      )
      const left = () => ask(serverUrl(), `select from pg_stat_activity where pid = ${row!.pid}`)
      await until(async () => (await left()).length === 0)
      await tx.sql.execute(tag`select ${1}::int`)
      return 'not ended'
    })
  expect(await idle(2)).toBe('done')
  expect([tries, published]).toEqual([3, ['ana']])
  tries = 0
  const error = await idle(6).catch((error: unknown) => error)
  expect([tries, refusalOf(error).code]).toEqual([6, 'ERR_DATABASE_UNAVAILABLE'])
})

test('one of the platform is done again as one of a company is', async () => {
  let tries = 0
  const ended = openScopes([])
    .platform()
    .transaction(async sql => {
      const again = tag`do $$ begin raise exception 'again' using errcode = '25P03'; end $$`
      if (++tries < 3) await sql.execute(again)
      return 'done'
    })
  expect([await ended, tries]).toEqual(['done', 3])
})

test('of two that wait for each other the one that the database ends is done again, and published once', async () => {
  const published: string[] = []
  const { inCompany } = openScopes(published)
  let waiting = 2
  let begin = () => {}
  const both = new Promise<void>(resolve => {
    begin = resolve
  })
  let tries = 0
  const cross = (who: string, mine: number, others: number) =>
    inCompany(1).transaction(async tx => {
      tries++
      tx.emit(moved, { who })
      await tx.sql.execute(tag`select pg_advisory_xact_lock(${mine})`)
      if (--waiting <= 0) begin()
      await both
      await tx.sql.execute(tag`select pg_advisory_xact_lock(${others})`)
      return who
    })
  expect(await Promise.all([cross('ana', 1, 2), cross('bia', 2, 1)])).toEqual(['ana', 'bia'])
  expect(tries).toBe(3)
  expect(published.sort()).toEqual(['ana', 'bia'])
})
