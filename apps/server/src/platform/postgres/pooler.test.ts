import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../testing/person.ts'
import { installedPooler, KEEPS_STATEMENTS, type Pooler, startPooler } from '../../../testing/pooler.ts'
import { ask, createDatabase } from '../../../testing/postgres.ts'
import { createLog } from '../observe/log.ts'
import { databaseAnswers } from '../startup/wait-for-servers.ts'
import { type Database, openDatabase, type Sql } from './db.ts'
import { isPooled } from './pooler.ts'
import { rowsFrom, sql as tag } from './sql.ts'

const pooler = installedPooler()
const missing = 'missing' in pooler ? ` (${pooler.missing})` : ''
const isOld = 'version' in pooler && pooler.version < KEEPS_STATEMENTS
const log = createLog({ logLevel: 'silent' })

describe.skipIf(missing)(`a pooler before the database${missing}`, () => {
  let own: Awaited<ReturnType<typeof createDatabase>>
  let before: Pooler
  let pooled: string
  beforeAll(async () => {
    own = await createDatabase()
    before = await startPooler(own.url, { default_pool_size: '2' })
    pooled = before.over(own.url)
  })
  afterAll(async () => {
    await before?.end()
    await own?.drop()
  })

  const answersAt = (databaseUrl: string, databaseDirectUrl: string | null = null) =>
    databaseAnswers({ databaseUrl, databaseDirectUrl }, log)

  test('the server itself is not one', async () => {
    expect(await answersAt(own.url)).toBe(null)
  })

  test.skipIf(!isOld)(
    `an old one is refused in one line${isOld ? '' : ' (the one on the PATH is new)'}`,
    async () => {
      await expect(answersAt(pooled, own.url)).rejects.toThrow(
        /^DATABASE_URL names a pooler .*PgBouncer 1\.21/,
      )
      await expect(isPooled(pooled, 'DATABASE_READ_URL')).rejects.toThrow(/^DATABASE_READ_URL names a pooler/)
    },
  )

  const isNew = isOld ? ' (the one on the PATH is old)' : ''
  describe.skipIf(isOld)(`a new one${isNew}`, () => {
    let database: Database
    beforeAll(() => {
      database = openDatabase(pooled, 4, { directUrl: own.url })
    })
    afterAll(() => database?.close())

    test('is refused in one line where it keeps no statements', async () => {
      const without = await startPooler(own.url, { max_prepared_statements: '0' })
      await expect(answersAt(without.over(own.url), own.url)).rejects.toThrow(
        /^DATABASE_URL names a pooler .*max_prepared_statements above 0/,
      )
      await without.end()
    })

    test('is asked for the address of the server, which no pooler may be', async () => {
      await expect(answersAt(pooled)).rejects.toThrow(/^DATABASE_DIRECT_URL is required/)
      await expect(answersAt(pooled, pooled)).rejects.toThrow(
        /^DATABASE_DIRECT_URL takes .* the server itself/,
      )
      expect(await answersAt(pooled, own.url)).toBe(own.url)
    })

    test('is asked for the server of the same database', async () => {
      const other = await createDatabase()
      await expect(answersAt(pooled, other.url)).rejects.toThrow(
        /^DATABASE_DIRECT_URL names another database than DATABASE_URL$/,
      )
      await other.drop()
    })

    const settings = (sql: Sql) =>
      rowsFrom(
        sql,
        tag`select current_setting('timezone') as zone, current_setting('jit') as jit,
          current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`,
      )

    test('has the settings in each transaction, and keeps none of them', async () => {
      const expected = [{ zone: 'UTC', jit: 'off', statement: '15s', idle: '3s' }]
      expect(await database.transaction('', settings)).toEqual(expected)
      expect(await database.read('', settings)).toEqual(expected)
      expect(await database.snapshot('', settings)).toEqual(expected)
      const [other] = (await database.direct.transaction('', settings)) as { statement: string }[]
      expect(other!.statement).toBe('15s')
    })

    test('knows every named statement on each of its connections', async () => {
      const ask = (value: number) =>
        database.transaction('', async sql => {
          const rows = await rowsFrom<{ sum: number }>(sql, tag`select ${value}::int + ${1}::int as sum`)
          await rowsFrom(sql, tag`select pg_sleep(${0.01}::float8)`)
          return rows[0]!.sum
        })
      const asked = Array.from({ length: 40 }, (_, place) => place)
      expect(await Promise.all(asked.map(ask))).toEqual(asked.map(value => value + 1))
    })

    test('a long statement is left alone: the server knows no process of this side', async () => {
      await database.transaction('', async sql => sql.execute(tag`select pg_sleep(5)`))
    }, 20_000)

    test('a transaction that sends nothing for too long is done again, as without one', async () => {
      let tries = 0
      const waiting = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
      const isEnded = async () => (await ask(own.url, waiting)).length === 0
      await database.transaction('set local idle_in_transaction_session_timeout = 200', async sql => {
        await sql.execute(tag`select 1`)
        if (++tries === 1) await until(isEnded)
        await sql.execute(tag`select 1`)
      })
      expect(tries).toBe(2)
    })

    test('a session goes to the server, with its locks and settings', async () => {
      await database.session(async session => {
        await session.execute(tag`select pg_advisory_lock(7)`)
        const held = await database.transaction('', sql =>
          rowsFrom(sql, tag`select pg_try_advisory_xact_lock(7) as is`),
        )
        expect(held).toEqual([{ is: false }])
      })
      const client = database.directClient()
      await client.connect()
      const received = new Promise(done => client.once('notification', ({ payload }) => done(payload)))
      await client.query('listen news')
      await database.transaction('', sql => sql.execute(tag`select pg_notify('news', 'now')`))
      expect(await received).toBe('now')
      await client.end()
    })
  })
})
