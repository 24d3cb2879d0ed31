import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../testing/postgres.ts'
import { until } from '../../../testing/test-app.ts'
import { openDatabase } from './db.ts'
import { openReplica } from './replica.ts'
import { rowsFrom, sql as tag } from './sql.ts'

test('an address that names no copy is a line of the log, and the primary answers', async () => {
  const own = await createDatabase()
  const lines: string[] = []
  const write = (line: Buffer, _encoding: string, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const primary = openDatabase(own.url, 2)
  const copy = openReplica(primary, {
    ...{ url: own.url, mostMs: 30_000, size: 1 },
    log: pino(new Writable({ write })),
  })
  await until(() => lines.length > 0)
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 40, why: 'it is no hot standby', msg: expect.stringContaining('DATABASE_READ_URL') },
  ])
  expect(copy.asOf()).toBeNull()
  expect(await copy.read('', sql => rowsFrom(sql, tag`select 1 as one`))).toEqual([{ one: 1 }])
  await copy.close()
  await primary.close()
  await own.drop()
})
