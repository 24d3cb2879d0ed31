import { drizzle } from 'drizzle-orm/node-postgres'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../../testing/postgres.ts'
import { type Database, openDatabase, type Sql, together } from '../db.ts'
import { asc, eq, sql as tag } from '../sql.ts'

const owners = pgTable('owners', {
  id: integer().primaryKey(),
  name: text(),
  since: timestamp({ mode: 'string' }),
})
const things = pgTable('things', {
  id: integer().primaryKey(),
  ownerId: integer('owner_id'),
  key: uuid(),
  label: varchar({ length: 20 }),
  isGood: boolean('is_good'),
  data: jsonb(),
  big: bigint({ mode: 'number' }),
  price: numeric({ mode: 'number' }),
  made: timestamp({ mode: 'string', withTimezone: true }),
})

type Asked = Pick<Sql, 'select' | 'update'>

let database: Database
let theirs: Asked
const done: (() => Promise<void>)[] = []
beforeAll(async () => {
  const { url, drop } = await createDatabase()
  database = openDatabase(url)
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  theirs = drizzle({ client })
  done.push(drop, () => client.end(), database.close)
  await database.script(`
    create table owners (id int primary key, name text, since timestamp);
    create table things (id int primary key, owner_id int, key uuid, label varchar(20), is_good boolean, data jsonb,
      big bigint, price numeric, made timestamptz);
    insert into owners values (1, 'Ana', '2026-01-02 03:04:05'), (2, null, null);
    insert into things values
      (1, 1, '0f8fad5b-d9cb-469f-a165-70867728950e', 'one', true, '{"a": [1, null]}', 9007199254740991, 1.5,
        '2026-01-02 03:04:05.678+00'),
      (2, 2, null, null, false, '"text"', -1, 0, null),
      (3, null, null, '', null, null, null, null, null)`)
})
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

const selections = {
  'a table': (sql: Asked) => sql.select().from(things),
  'one joined that has no row': (sql: Asked) =>
    sql.select().from(things).leftJoin(owners, eq(owners.id, things.ownerId)).orderBy(asc(things.id)),
  'chosen columns, by name and in groups': (sql: Asked) =>
    sql
      .select({ id: things.id, owner: { id: owners.id, name: owners.name }, thing: things })
      .from(things)
      .leftJoin(owners, eq(owners.id, things.ownerId))
      .orderBy(asc(things.id)),
  'an inner join, whose row is always there': (sql: Asked) =>
    sql
      .select({ owner: { name: owners.name }, label: things.label })
      .from(things)
      .innerJoin(owners, eq(owners.id, things.ownerId))
      .orderBy(asc(things.id)),
  'texts of SQL, read as said': (sql: Asked) =>
    sql
      .select({
        count: tag<number>`count(*)`.mapWith(Number),
        big: tag<number>`max(${things.big})`.mapWith(things.big).as('biggest'),
        list: tag<string[]>`json_agg(${things.label} order by ${things.id})`,
      })
      .from(things),
  'the columns of a piece': (sql: Asked) => {
    const piece = sql
      .select({ id: things.id, upper: tag<string>`upper(${things.label})`.as('upper'), price: things.price })
      .from(things)
      .as('piece')
    return sql
      .select({ id: piece.id, upper: piece.upper, price: piece.price })
      .from(piece)
      .orderBy(asc(piece.id))
  },
  'what a change gives back': (sql: Asked) =>
    sql.update(things).set({ label: 'changed' }).where(eq(things.id, 3)).returning(),
}

test.each(Object.entries(selections))('reads %s as Drizzle does', async (_name, select) => {
  const own = await database.transaction('', async sql => select(sql))
  expect(own.length).toBeGreaterThan(0)
  expect(own).toEqual(await select(theirs))
})

test('statements that go together leave in their order, though one takes longer to be written', async () => {
  const sequence = await database.transaction('', async sql => {
    await sql.execute(tag`create sequence turns`)
    const next = () => sql.execute(tag`select nextval('turns')::int as turn`)
    const late = async () => {
      for (let turn = 0; turn < 50; turn++) await null
      return next()
    }
    return together(sql, late, next, async () => 'asks nothing', late, next)
  })
  expect(
    sequence.map(answer => (typeof answer === 'string' ? answer : (answer as { rows: unknown }).rows)),
  ).toEqual([[{ turn: 1 }], [{ turn: 2 }], 'asks nothing', [{ turn: 3 }], [{ turn: 4 }]])
})

test('when one of those that go together fails, so does the whole', async () => {
  const whole = database.transaction('', sql =>
    together(
      sql,
      () => sql.execute(tag`select 1`),
      () => sql.execute(tag`select 1 / 0`),
      () => sql.execute(tag`select 2`),
    ),
  )
  await expect(whole).rejects.toThrow('division by zero')
})
