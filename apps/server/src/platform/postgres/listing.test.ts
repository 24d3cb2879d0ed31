import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../../testing/postgres.ts'
import { openDatabase, type Sql } from './db.ts'
import { sql as tag } from './sql.ts'

const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

async function open() {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url, 1)
  done.push(drop, database.close)
  return database
}
const rowsOf = async (sql: Sql, statement: string) =>
  ((await sql.execute(tag.raw(statement))) as { rows: Record<string, string>[] }).rows

test('only lists forbid reading a whole table', async () => {
  const database = await open()
  const setting = async (how?: object) =>
    (await database.read('', sql => rowsOf(sql, 'show enable_seqscan'), how))[0]!.enable_seqscan
  expect(await setting({ listing: true })).toBe('off')
  expect(await setting()).toBe('on')
})

test('a snapshot sees the rows of one moment, a read those of each; neither can write', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  done.push(drop, database.close)
  await database.script('create table counts (n int); insert into counts values (1)')
  const twice = async (sql: Sql) => {
    const [before] = await rowsOf(sql, 'select n from counts')
    await database.transaction('', other => rowsOf(other, 'update counts set n = n + 1'))
    const [after] = await rowsOf(sql, 'select n from counts')
    return Number(after!.n) - Number(before!.n)
  }
  expect([await database.snapshot('', twice), await database.read('', twice)]).toEqual([0, 1])
  const write = (sql: Sql) => rowsOf(sql, 'update counts set n = 0')
  for (const run of [database.snapshot, database.read])
    await expect(run('', write)).rejects.toMatchObject({ code: '25006' })
})

test('a list that was planned while its table was empty goes by its index ever after', async () => {
  const database = await open()
  await database.script(
    `create table things (id int primary key, company int not null) with (autovacuum_enabled = off);
       create index things_of_company on things (company, id);
       insert into things select i, 1 from generate_series(1, 20) i; analyze things`,
  )
  const lists = {
    listed: tag`select id as listed from things where company = ${1} order by id limit 20`,
    read: tag`select id as read from things where company = ${1} order by id limit 20`,
  }
  // after the fifth time PostgreSQL keeps one plan for all values
  for (let asked = 0; asked < 7; asked++)
    for (const [name, list] of Object.entries(lists))
      await database.read('', sql => sql.execute(list), {
        listing: name === 'listed',
      })
  const fill = 'insert into things select i, i % 50 from generate_series(21, 20000) i'
  await database.transaction('', sql => rowsOf(sql, fill))
  const planOf = (name: string) =>
    database.transaction('', async sql => {
      const [known] = await rowsOf(
        sql,
        `select name, generic_plans from pg_prepared_statements where statement like 'select id as ${name}%'`,
      )
      expect(Number(known!.generic_plans)).toBeGreaterThan(0)
      return JSON.stringify(await rowsOf(sql, `explain execute ${known!.name}(1)`))
    })
  expect(await planOf('listed')).toContain('things_of_company')
  expect(await planOf('read'), 'what it is for').toContain('Seq Scan')
})
