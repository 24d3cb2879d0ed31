import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverUrl } from '../../../../testing/postgres.ts'
import { openProxiedWire, type ProxiedWire } from '../../../../testing/proxy.ts'
import { type Database, openDatabase, type Sql } from '../db.ts'
import { sql as tag } from '../sql.ts'

describe('connections that the server forgot without a word', () => {
  let wire: ProxiedWire
  let database: Database
  beforeAll(async () => {
    wire = await openProxiedWire(serverUrl())
    database = openDatabase(wire.over(serverUrl()), 2)
  })
  afterAll(async () => {
    await database?.close()
    await wire?.close()
  })

  const one = async (sql: Sql) => void (await sql.execute(tag`select ${1}::int`))
  const ask = () => database.transaction('select 1', one)

  test('are found within seconds, and the next question is answered', async () => {
    await ask()
    wire.forget()
    await expect(ask()).rejects.toThrow()
    await ask()
  }, 20_000)

  test('a long statement is left alone', async () => {
    await database.transaction('select 1', async sql => sql.execute(tag`select pg_sleep(6)`))
  }, 20_000)
})
