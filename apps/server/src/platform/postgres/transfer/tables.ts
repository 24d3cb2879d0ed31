import type pg from 'pg'

/** One row is a JSON array of texts, each as PostgreSQL prints and reads a value; null is null. */
export interface Table {
  /** As SQL names it. */
  name: string
  columns: Column[]
}

interface Column {
  name: string
  type: string
}

/** Of the product and of its jobs, without what belongs to one database (its migrations, its place of files, statistics). */
const LEFT_OUT = [
  'public.migrations',
  'public.file_places',
  ...['version', 'warning', 'bam', 'queue_stats'].map(name => `pgboss.${name}`),
]

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
      order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname || '.' || c.relname <> all ($1)
  group by 1 order by 1`

export const tablesOf = async (client: pg.Client): Promise<Table[]> =>
  (await client.query<Table>(TABLES, [LEFT_OUT])).rows

/** Rows in the order of their keys, so that the same rows are the same bytes. */
export async function keyOrderOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ columns: string | null }>(
    `select string_agg(quote_ident(a.attname), ', ' order by array_position(i.indkey::int[], a.attnum::int)) as columns
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary`,
    [name],
  )
  return rows[0]?.columns ? `order by ${rows[0].columns}` : ''
}

/** So many rows are read at a time. */
const ROWS = 500

/** The lines that a statement answers as `line`, some at a time; within a transaction. */
export async function* rowsIn(client: pg.Client, select: string, read: (rows: number) => void) {
  await client.query(`declare lines cursor for ${select}`)
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS} from lines`)
    if (rows.length === 0) break
    read(rows.length)
    yield rows.map(({ line }) => `${line}\n`).join('')
  }
  await client.query('close lines')
}

/** The lines of an entry: readline would also end one at U+2028, which JSON and what people write may hold. */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let begun = ''
  for await (const chunk of bytes) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n')
    begun += first
    for (const next of more) {
      yield begun
      begun = next
    }
  }
  if (begun !== '') yield begun
}

export type Sequences = Record<string, [last: string, isCalled: boolean]>

export async function sequencesOf(client: pg.Client): Promise<Sequences> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
     where schemaname in ('public', 'pgboss') order by 1`,
  )
  const found: Sequences = {}
  for (const { name } of rows) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    found[name] = [rows[0]!.last, rows[0]!.called]
  }
  return found
}

/** What stands in `data.json`, the last entry of an export. */
export interface Manifest {
  format: 1
  version: string
  /** Of the keys that sealed what is in it. */
  installation: string
  migrations: string[]
  tables: Record<string, { columns: string[]; rows: number }>
  sequences: Sequences
  files: number
}

export const entryOf = (table: string) => `tables/${table}.jsonl`
export const MANIFEST = 'data.json'
