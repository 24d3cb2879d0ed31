import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../testing/postgres.ts'
import { event, payloadOf } from '../platform/events.ts'
import { Memory } from '../platform/memory.ts'
import { createLog } from '../platform/observe/log.ts'
import { openDatabase } from '../platform/postgres/db.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { sql as tag } from '../platform/postgres/sql.ts'
import { scopes } from '../platform/scope.ts'

const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

const moved = event<{ who: string }>('test.moved')

async function openScopes(told: string[]) {
  const place = await createDatabase()
  const database = openDatabase(place.url)
  done.push(place.drop, database.close)
  await migrate(database)
  return scopes({
    database,
    memory: new Memory(),
    log: createLog({ logLevel: 'error' }),
    timeZone: 'UTC',
    publish: (_scope, news) => told.push(...news.map(one => payloadOf(moved, one)!.who)),
    involve: async () => {},
    enqueue: async () => {},
  })
}

test('one that the database ends again and again is done again, told once, and given up at last', async () => {
  const told: string[] = []
  const { inCompany } = await openScopes(told)
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
  expect(told).toEqual(['40P01', '40001'])
  tries = 0
  await expect(ended(100, '40P01')).rejects.toThrow()
  expect(tries).toBe(6)
  tries = 0
  await expect(ended(1, '23505')).rejects.toThrow()
  expect(tries).toBe(1)
  expect(told).toHaveLength(2)
})

test('of two that wait for each other the one that the database ends is done again, and told once', async () => {
  const told: string[] = []
  const { inCompany } = await openScopes(told)
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
  expect(told.sort()).toEqual(['ana', 'bia'])
})
