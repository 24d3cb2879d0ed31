import type pg from 'pg'
import { companyIn, type PlannedTable } from './carried.plan.ts'
import type { IdOf, Seal } from './carried.ts'
import { linesIn } from './tables.ts'

/** So many rows, or bytes, are written by one statement. */
const ROWS = 1_000
const BYTES = 4 * 1024 * 1024

interface Importing {
  client: pg.Client
  companyId: number
  seal: Seal
}

/** A table of new ids has no statistics, and is read by its key. Within each transaction. */
export const BY_KEYS =
  'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off'

/**
 * Inserts the rows of an entry under a new company with new ids, behind the first `done`. `commit` gets each piece: so many rows, and
 * what writes them in its transaction. An id that is met before its row, or whose row is gone, gets its new one then: nothing
 * else has it. Answers the number of rows.
 */
export async function carryRows(
  importing: Importing,
  table: PlannedTable,
  bytes: AsyncIterable<Uint8Array>,
  { done, commit }: { done: number | null; commit(rows: number, write: () => Promise<void>): Promise<void> },
): Promise<number> {
  let lines: string[] = []
  let [size, read, written] = [0, 0, done ?? 0]
  let isBegun = done !== null
  const flush = async (isEnd: boolean) => {
    const piece = lines
    if (piece.length > 0 || isEnd)
      await commit(written + piece.length, async () => {
        if (!isBegun) await clear(importing, table)
        if (piece.length > 0) await insert(importing, table, piece)
        if (isEnd) await raise(importing, table)
      })
    isBegun = true
    written += piece.length
    lines = []
    size = 0
  }
  for await (const line of linesIn(bytes)) {
    if (read++ < (done ?? 0)) continue
    lines.push(line)
    size += line.length
    if (lines.length === ROWS || size > BYTES) await flush(false)
  }
  await flush(true)
  return written
}

/** What triggers wrote meanwhile is replaced by what was exported. */
async function clear({ client, companyId }: Importing, { name, plain, how }: PlannedTable) {
  if (plain === 'companies' || !how.after) return
  const some = `delete from ${name} where company_id = $1 and ctid = any (array(
    select ctid from ${name} where company_id = $1 limit ${ROWS}))`
  while ((await client.query(some, [companyId])).rowCount === ROWS);
}

async function insert(importing: Importing, table: PlannedTable, lines: string[]): Promise<void> {
  const { client, companyId } = importing
  const given = needsRows(table) ? await rewritten(importing, table, lines) : `[${lines.join(',')}]`
  for (const [column, space] of Object.entries(table.spaces))
    await mapIds(importing, space, oldIds(table, column), given)
  // every row of a package has the same columns
  const held = await client.query<{ column: string }>('select json_object_keys($1::json->0) as column', [
    given,
  ])
  const inPackage = new Set(held.rows.map(({ column }) => column))
  // a row is of the company also where it names none
  const columns = table.columns.filter(
    ({ name }) => inPackage.has(name) || name in (table.how.set ?? {}) || name === companyIn(table),
  )
  const values = columns.map(({ name, type }) => valueIn(table, { name, type }, companyId))
  const { rowCount } = await client.query(
    `insert into ${table.name} (${columns.map(({ name }) => `"${name}"`)}) overriding system value
     select ${values} from json_array_elements($1::json) with ordinality l(line, at),
       json_populate_record(null::${table.name}, line) r order by at`,
    [given],
  )
  if (rowCount !== lines.length)
    throw new Error(`${table.plain}: ${rowCount} of ${lines.length} rows were inserted`)
}

function valueIn(table: PlannedTable, column: { name: string; type: string }, company: number) {
  const { spaces, how } = table
  const { name, type } = column
  if (name === companyIn(table)) return String(company)
  const set = how.set?.[name]
  if (set) return `(${set})::${type}`
  const space = spaces[name]
  if (!space) return `r."${name}"`
  const found = (old: string) =>
    `coalesce((select c.new from carried_ids c where c.company_id = ${company} and c.space = '${space}' and c.old = ${old}), ${old})`
  return type.endsWith('[]')
    ? `array(select ${found('e.v::text')}::${type.slice(0, -2)} from unnest(r."${name}") with ordinality e(v, n) order by n)`
    : `${found(`r."${name}"::text`)}::${type}`
}

const oldIds = ({ name, columns }: PlannedTable, column: string) => {
  const isList = columns.some(one => one.name === column && one.type.endsWith('[]'))
  const value = isList ? `unnest(r."${column}")` : `r."${column}"`
  return `select distinct v::text as old from (select ${value} as v
    from json_array_elements($1::json) line, json_populate_record(null::${name}, line) r) e
    where v is not null and v::text <> '0'`
}

/** Gives each id that `old` selects, from `$1`, a new one where it has none. */
async function mapIds({ client, companyId }: Importing, space: string, old: string, given: string) {
  const { rows } = await client.query<{ sequence: string | null }>(
    `select pg_get_serial_sequence('public.' || $1, 'id') as sequence`,
    [space],
  )
  // messages at one position of a conversation are in the order of their ids, which therefore keep their beginning
  const next = rows[0]?.sequence
    ? `nextval('${rows[0].sequence}')::text`
    : 'left(old, 24) || right(gen_random_uuid()::text, 12)'
  await client.query(
    `insert into carried_ids (company_id, space, old, new) select ${companyId}, '${space}', old, ${next} from (
       select old from (${old}) o
       where not exists (select from carried_ids c where c.company_id = ${companyId} and c.space = '${space}' and c.old = o.old)
       order by length(old), old) fresh`,
    [given],
  )
}

const needsRows = ({ how }: PlannedTable) => how.inside !== undefined || how.fresh !== undefined

type Row = Record<string, unknown>

async function rewritten(importing: Importing, { how }: PlannedTable, lines: string[]) {
  const { client, companyId, seal } = importing
  const rows = lines.map(line => JSON.parse(line) as Row)
  const wanted = new Map<string, Set<number>>()
  rewriteInside(rows, how.inside, (space, id) => {
    wanted.set(space, (wanted.get(space) ?? new Set()).add(id))
    return id
  })
  const known = new Map<string, number>()
  for (const [space, ids] of wanted) {
    const given = JSON.stringify([...ids])
    await mapIds(
      importing,
      space,
      'select distinct v as old from json_array_elements_text($1::json) v',
      given,
    )
    const found = await client.query<{ old: string; new: string }>(
      'select old, new from carried_ids where company_id = $1 and space = $2 and old = any ($3)',
      [companyId, space, [...ids].map(String)],
    )
    for (const one of found.rows) known.set(`${space} ${one.old}`, Number(one.new))
  }
  const done = rewriteInside(rows, how.inside, (space, id) => known.get(`${space} ${id}`) ?? id)
  for (const row of done)
    for (const [column, make] of Object.entries(how.fresh ?? {})) row[column] = await make(seal)
  return JSON.stringify(done)
}

const rewriteInside = (rows: Row[], inside: PlannedTable['how']['inside'], idOf: IdOf): Row[] =>
  rows.map(row => {
    const changed = { ...row }
    for (const [column, rewrite] of Object.entries(inside ?? {}))
      if (row[column] != null) changed[column] = rewrite(row[column], idOf)
    return changed
  })

/** New rows of all companies are behind the carried ones. Other sessions number meanwhile, so the sequence is never set. */
async function raise({ client, companyId }: Importing, { name, how }: PlannedTable) {
  for (const column of how.rising ?? []) {
    const highest = `(select coalesce(max("${column}"), 0) from ${name} where company_id = ${companyId})`
    const sequence = `pg_get_serial_sequence('${name}', '${column}')`
    await client.query(
      `select count(nextval(${sequence}::regclass)) from generate_series(1, greatest(0, (${highest} - (
         select coalesce(last_value, 0) from pg_sequences
         where format('%I.%I', schemaname, sequencename)::regclass = ${sequence}::regclass)) / (
         select increment_by from pg_sequences
         where format('%I.%I', schemaname, sequencename)::regclass = ${sequence}::regclass) + 1))`,
    )
  }
}
