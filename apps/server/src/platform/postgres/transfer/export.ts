import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { openDisk } from '../../files/disk.ts'
import { type Adding, writeZip, zipInto } from '../../files/zip.ts'
import { VERSION } from '../../observe/version.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { UNHURRIED } from '../db.ts'
import {
  entryOf,
  keyOrderOf,
  MANIFEST,
  type Manifest,
  rowsIn,
  sequencesOf,
  type Table,
  tablesOf,
} from './tables.ts'

/**
 * Writes all rows of a database and the files under DATA_DIR into a ZIP file, beside running products: one snapshot, whatever
 * server it is on. What is sealed in it is read with the same secret only, which is not in it.
 */
export const exportData = (from: ExportedFrom & { dataDir: string }, file: string): Promise<Manifest> =>
  exported(from, fill => writeZip(file, fill))

/** The rows alone, read by `write` as they are packed. */
export const exportRowsInto = (
  from: ExportedFrom,
  write: (bytes: Readable) => Promise<void>,
): Promise<Manifest> => exported(from, fill => zipInto(fill, write))

interface ExportedFrom {
  url: string
  installation: string
}

async function exported(
  { url, dataDir, installation }: ExportedFrom & { dataDir?: string },
  pack: (fill: (adding: Adding) => Promise<void>) => Promise<void>,
): Promise<Manifest> {
  const client = postgresClient({ connectionString: url })
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query(`${UNHURRIED}; set local timezone = 'UTC'`)
    const applied = await client.query<{ name: string }>('select name from migrations order by name')
    const manifest: Manifest = {
      ...{ format: 1, version: VERSION, installation, migrations: applied.rows.map(({ name }) => name) },
      ...{ tables: {}, sequences: await sequencesOf(client), files: 0 },
    }
    await pack(async adding => {
      for (const table of await tablesOf(client)) await addTable(adding, client, table, manifest)
      // files are written before the rows that name them: those of every row above are there
      if (dataDir) manifest.files = await addFiles(adding, join(dataDir, 'files'))
      adding.text(MANIFEST, JSON.stringify(manifest, null, 1))
    })
    return manifest
  } finally {
    await client.end().catch(() => {})
  }
}

async function addTable(adding: Adding, client: pg.Client, table: Table, { tables }: Manifest) {
  const about = { columns: table.columns.map(({ name }) => name), rows: 0 }
  tables[table.name] = about
  const values = table.columns.map(({ name }) => `${name}::text`)
  const order = await keyOrderOf(client, table.name)
  const select = `select to_json(array[${values}]::text[])::text as line from ${table.name} ${order}`
  const lines = rowsIn(client, select, rows => (about.rows += rows))
  await adding.stream(Readable.from(lines, { objectMode: false }), entryOf(table.name))
}

async function addFiles(adding: Adding, folder: string): Promise<number> {
  const disk = await openDisk(folder)
  let files = 0
  for await (const path of disk.paths()) {
    const found = await disk.read(path)
    if (!found) continue
    adding.text(`files/${path}.json`, JSON.stringify(found.label))
    await adding.stream(found.stream, `files/${path}`)
    files++
  }
  return files
}
