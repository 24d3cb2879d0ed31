import { afterAll, expect, test } from 'vitest'
import { createDatabase, postgresServer } from '../../testing/postgres.ts'
import { overServer } from './db.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'

const server = await postgresServer()
const missing = 'missing' in server ? `(${server.missing})` : ''
const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

async function place() {
  const { url, drop } = await createDatabase('url' in server ? server.url : '')
  done.push(drop)
  return () => {
    const database = overServer(url)
    done.push(database.close)
    return database
  }
}

test.skipIf(missing)(
  `who starts on a database that is up to date is in nobody's way ${missing}`,
  async () => {
    const open = await place()
    const [atWork, starting] = [open(), open()]
    await migrate(atWork)
    await atWork.transaction('', async tx => {
      for (const table of ['tickets', 'companies', 'contacts'])
        await tx.execute(sql.raw(`lock table ${table} in row exclusive mode`))
      await migrate(starting)
    })
  },
)

test.skipIf(missing)(
  `four that start at once on an empty database all find it whole ${missing}`,
  async () => {
    const open = await place()
    const four = [open(), open(), open(), open()]
    await Promise.all(four.map(migrate))
    const [{ walls }] = (
      (await four[0]!.transaction('', tx =>
        tx.execute(sql`select count(*)::int as walls from pg_policy where polname = 'own_company'`),
      )) as unknown as { rows: [{ walls: number }] }
    ).rows
    expect(walls).toBeGreaterThan(20)
  },
)
