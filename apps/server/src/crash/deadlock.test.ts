import { afterAll, expect, test } from 'vitest'
import { createDatabase, postgresServer } from '../../testing/postgres.ts'
import { overServer } from '../platform/db.ts'
import { event } from '../platform/events.ts'
import { migrate } from '../platform/migrate.ts'
import { scopes } from '../platform/scope.ts'
import { sql as tag } from '../platform/sql.ts'

const server = await postgresServer()
const missing = 'missing' in server ? server.missing : ''
const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

const moved = event<{ who: string }>('test.moved')

test.skipIf(missing !== '')(
  `of two that wait for each other the one that the database ends is done again, and told once ${missing}`,
  async () => {
    const place = await createDatabase('url' in server ? server.url : '')
    const database = overServer(place.url)
    done.push(place.drop, database.close)
    await migrate(database)
    const told: string[] = []
    const { inCompany } = scopes({
      database,
      timeZone: 'UTC',
      announce: (_scope, news) => told.push(...news.map(one => (one.news as { who: string }).who)),
      involve: async () => {},
      enqueue: async () => {},
    })
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
  },
)
