import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { ConfigError } from '../../config.ts'
import type { FileStore, Label } from '../../files/files.ts'
import { openArchive } from '../../files/unzip.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { UNHURRIED } from '../db.ts'
import { entryOf, linesIn, MANIFEST, type Manifest, type Table, tablesOf } from './tables.ts'

/** An export that was opened. */
export interface Opened {
  manifest: Manifest
  bytes(name: string): AsyncIterable<Buffer>
  names: string[]
}

/** Throws ConfigError where the file is no export. */
export async function openExport(file: string): Promise<Opened> {
  return openZip(file, async (bytes, names) => {
    const manifest = JSON.parse(await text(Readable.from(bytes(MANIFEST)))) as Manifest
    if (manifest.format !== 1) throw new Error(`its format is ${manifest.format}`)
    return { manifest, bytes, names }
  })
}

/** Reads how it begins; throws ConfigError where that fails. */
export async function openZip<T>(
  file: string,
  begin: (bytes: Opened['bytes'], names: string[]) => Promise<T>,
): Promise<T> {
  try {
    const { bytes, sizes } = await openArchive(file)
    return await begin(bytes, [...sizes.keys()])
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read as an export (${(error as Error).message}). Nothing was changed`,
    )
  }
}

/**
 * Fills a database that is migrated and has no company yet, in one transaction; files are written before. Foreign keys are
 * checked when all rows are there, counters are taken as they were.
 */
export async function importData(
  url: string,
  { manifest, bytes, names }: Opened,
  store: FileStore,
): Promise<void> {
  for (const name of names) {
    const path = FILE.exec(name)?.[1]
    if (!path) continue
    const label = JSON.parse(await text(Readable.from(bytes(`${name}.json`)))) as Label
    await store.write(path, bytes(name), label)
  }
  const client = postgresClient({ connectionString: url })
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await client.query(`begin; ${UNHURRIED}; set local timezone = 'UTC'`)
    const tables = await tablesOf(client)
    const keys = await dropForeignKeys(client)
    // whoever was faster has committed: every table is locked now
    if ((await client.query('select from companies limit 1')).rowCount) throw new NotEmpty()
    for (const table of tables) await fillTable(client, table, manifest, bytes(entryOf(table.name)))
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const [name, [last, called]] of Object.entries(manifest.sequences))
      await client.query('select setval($1::regclass, $2, $3)', [name, last, called])
    await client.query('commit')
  } finally {
    await client.end().catch(() => {})
  }
}

/** Two imports at once, or a product that was started meanwhile. */
export class NotEmpty extends ConfigError {
  constructor() {
    super('The database has companies already: an export is imported into an empty one. Nothing was changed')
  }
}

const FILE = /^files\/(\d+\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,5})$/

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Only the owner of a server may leave them unchecked; whoever owns a table may make them again. */
async function dropForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in ('public', 'pgboss')`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows
}

/** So many rows, or bytes, are written at a time. */
const ROWS = 1_000
const BYTES = 4 * 1024 * 1024

async function fillTable(
  client: pg.Client,
  table: Table,
  { tables }: Manifest,
  bytes: AsyncIterable<Buffer>,
) {
  const about = tables[table.name]
  const columns = table.columns.map(({ name }) => name)
  if (!about || about.columns.join() !== columns.join())
    throw new Error(`${table.name} has other columns than in the export`)
  await client.query(`alter table ${table.name} disable trigger user`)
  await client.query(`delete from ${table.name}`)
  const values = table.columns.map(({ type }, at) => `(line->>${at})::${type}`)
  const insert = `insert into ${table.name} (${columns}) overriding system value
    select ${values} from json_array_elements($1::json) line`
  let lines: string[] = []
  let [size, written] = [0, 0]
  const flush = async () => {
    if (lines.length > 0) written += (await client.query(insert, [`[${lines}]`])).rowCount ?? 0
    lines = []
    size = 0
  }
  for await (const line of linesIn(bytes)) {
    lines.push(line)
    size += line.length
    if (lines.length === ROWS || size > BYTES) await flush()
  }
  await flush()
  if (written !== about.rows) throw new Error(`${table.name} has ${written} rows and not ${about.rows}`)
  await client.query(`alter table ${table.name} enable trigger user`)
}
