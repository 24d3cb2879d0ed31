import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { costOf, plansIn } from '../testing/costs.ts'
import { freshDatabase } from '../testing/database.ts'
import { features } from './features.ts'
import { readConfig } from './platform/config.ts'
import { itemsOf } from './platform/features.ts'
import type { Database } from './platform/postgres/db.ts'
import { sqlOver } from './platform/postgres/drizzle/session.ts'
import { exists, sql as tag } from './platform/postgres/sql.ts'

/**
 * What every worker asks each second, by the pages that it looks at, without a clock: of ten companies and of ten
 * thousand, each with a settled row in every table that is asked. An index is a page or two deeper then.
 */
const [FEW, MANY] = [10, 10_000]
const DEEPER = 12

/** How the rows of a second begin: `listing` and `planned` (db.ts). */
const BEGIN =
  'begin read only; set local jit = off; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan'

let database: Database
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.close()
})

test('what is due costs the same to ask where there are a thousand times as many companies', async () => {
  const finds = statements()
  const tables = new Set<string>()
  for (const find of finds) for (const table of tablesOf(await plansIn(client, find))) tables.add(table)
  await prepareTables([...tables])
  await fill([...tables], 1, FEW)
  const few = await costs(finds)
  await fill([...tables], FEW + 1, MANY)
  const many = await costs(finds)
  const risen = finds
    .map(({ name }, at) => `${name}: ${few[at]} pages, then ${many[at]}`)
    .filter((_, at) => many[at]! > few[at]! + DEEPER)
  expect(risen).toEqual([])
})

interface Asked {
  name: string
  trace: undefined
  begin: string
  text: string
  values: unknown[]
}

/** Of each kind the statements that are parts of the one of each second. */
function statements(): Asked[] {
  // nothing is sent over it
  const sql = sqlOver(() => Promise.reject(new Error('only its text is asked for')))
  const config = readConfig({})
  const found: Asked[] = []
  for (const { name, finds } of itemsOf(features, 'due'))
    for (const find of finds) {
      const asked = sql
        .select({ name: tag`1` })
        .from(tag`(select 1 where ${exists(find(sql, config))}) kinds`)
      const { sql: text, params: values } = asked.toSQL()
      found.push({ name, trace: undefined, begin: BEGIN, text, values })
    }
  return found
}

const costs = async (finds: Asked[]) => {
  const blocks: number[] = []
  for (const find of finds) blocks.push((await costOf(client, [find])).blocks)
  return blocks
}

const tablesOf = (plan: string): string[] =>
  Array.from(plan.matchAll(/"Relation Name": "(\w+)"/g), ([, table]) => table!)

/** Rows without what they refer to, and of states that nothing waits in: no trigger, foreign key or check sees to them. */
async function prepareTables(tables: string[]) {
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'c' and conrelid::regclass::text = any($1)`,
    [tables],
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint "${name}"`)
}

/** A row of each company in each table; what may be empty is empty, and what is due is so never. */
async function fill(tables: string[], from: number, to: number) {
  for (const table of tables) {
    const { rows } = await client.query<{ column: string; value: string }>(COLUMNS, [table])
    const columns = rows.map(({ column }) => `"${column}"`).join()
    const values = rows.map(({ value }) => value).join()
    await client.query(
      `insert into ${table} (${columns}) overriding system value select ${values} from generate_series(${from}, ${to}) n`,
    )
  }
  await client.query('vacuum analyze')
}

const COLUMNS = `select column_name as column, case
    when table_name = 'companies' and column_name = 'status' then '1'
    when data_type = 'boolean' then 'true'
    when data_type like 'timestamp%' then '''infinity'''
    when data_type = 'date' then 'current_date'
    when data_type = 'jsonb' then '''{}'''
    when data_type = 'uuid' then 'gen_random_uuid()'
    when data_type = 'ARRAY' then '''{}'''
    when data_type = 'text' then '''x'' || n'
    else 'n' end as value
  from information_schema.columns
  where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
    and (is_nullable = 'NO' or column_name like 'enable%')
    and (column_default is null or data_type = 'text' or column_name in ('id', 'company_id') or data_type like 'timestamp%' or column_name like 'enable%')`
