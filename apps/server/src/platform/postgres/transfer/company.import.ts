import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { ConfigError } from '../../config.ts'
import { type FileStore, pathOfFile } from '../../files/files.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { UNHURRIED } from '../db.ts'
import { carryingPlan } from './carried.plan.ts'
import { carryRows, makeIds } from './carried.rows.ts'
import type { Carried, Seal } from './carried.ts'
import type { CompanyPackage } from './company.ts'
import { type Opened, openZip } from './import.ts'
import { linesIn } from './tables.ts'

/** A package of one company that was opened. */
export interface OpenedCompany {
  index: CompanyPackage
  /** Names this very package. */
  sum: string
  bytes: Opened['bytes']
}

interface Given {
  connection: pg.ClientConfig
  store: FileStore
  carried: Carried[]
  seal(companyId: number): Seal
}

const INDEX = 'index.json'

/** Throws ConfigError where the file is no package of a company. */
export const openCompany = (file: string): Promise<OpenedCompany> =>
  openZip(file, async (bytes, names) => {
    const written = await text(Readable.from(bytes(INDEX)))
    const index = JSON.parse(written) as CompanyPackage
    if (index.format !== 'balcao-company') throw new Error(`its format is ${index.format}`)
    if (!index.migrations) throw new Error('an older version wrote it, whose packages are not imported')
    const strange = names.find(name => name !== INDEX && !(name in index.entries))
    if (strange) throw new Error(`${strange} is not in its index`)
    const unread = Object.entries(index.entries).find(
      ([name, { label }]) => !(label ? FILE : TABLE).test(name),
    )
    if (unread) throw new Error(`${unread[0]} is neither a table nor a file`)
    return { index, bytes, sum: createHash('sha256').update(written).digest('hex') }
  })

/**
 * Imports a package as a new company, beside running products: files first, then all rows in one transaction, so that the
 * company is there completely or not at all. After an interruption it is called again: the same package gets the same id, and what
 * another one left is removed. Nothing is written where the package is not what its index says, or where the e-mail of a user
 * is in use. Answers the id of the company.
 */
export async function importCompany(given: Given, opened: OpenedCompany): Promise<number> {
  const emails = await verified(opened)
  const client = postgresClient(given.connection)
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await client.query(`set timezone = 'UTC'`)
    await refuseOtherTables(client, opened.index)
    await refuseTaken(client, emails)
    const companyId = await begun(client, given.store, opened.sum)
    for (const [name, { label, sha256 }] of Object.entries(opened.index.entries)) {
      const key = FILE.exec(name)?.[1]
      if (key && label)
        await writeFile(given.store, pathOfFile(companyId, key), { label, sha256, bytes: opened.bytes(name) })
    }
    await writeRows(client, given, opened, companyId)
    return companyId
  } finally {
    await client.end().catch(() => {})
  }
}

const TABLE = /^data\/\w+\.jsonl$/
const FILE = /^files\/([0-9a-f]{32}\.[a-z0-9]{1,5})$/

/** Reads all of a package, and answers the e-mails of its users. Throws ConfigError where it is not what its index says. */
async function verified({ index, bytes }: OpenedCompany): Promise<string[]> {
  const emails: string[] = []
  for (const [name, { rows, sha256 }] of Object.entries(index.entries)) {
    const sum = createHash('sha256')
    async function* summed() {
      for await (const chunk of bytes(name)) {
        sum.update(chunk)
        yield chunk
      }
    }
    let found = 0
    if (rows === undefined)
      for await (const _ of summed()); // read to its end
    else
      for await (const line of linesIn(summed())) {
        found++
        if (name === 'data/users.jsonl') emails.push((JSON.parse(line) as { email: string }).email)
      }
    if (sum.digest('hex') !== sha256 || (rows !== undefined && rows !== found))
      throw new ConfigError(`${name} is not what index.json says. Nothing was changed`)
  }
  return emails
}

async function refuseOtherTables(client: pg.Client, { migrations }: CompanyPackage) {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  if (rows.map(({ name }) => name).join() === migrations.join()) return
  throw new ConfigError(
    'The tables of this database are of another version than the package. Nothing was changed',
  )
}

async function refuseTaken(client: pg.Client, emails: string[]) {
  const { rows } = await client.query<{ email: string }>(
    'select email from users where lower(email) in (select lower(e) from unnest($1::text[]) e) order by 1',
    [emails],
  )
  if (rows.length === 0) return
  throw new ConfigError(
    `These e-mails belong to users of this installation already: ${rows.map(({ email }) => email).join(', ')}. Nothing was changed`,
  )
}

/** The id of the company that a package becomes, the same until it is complete. One import at a time. */
async function begun(client: pg.Client, store: FileStore, sum: string): Promise<number> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK])
  if (!rows[0]!.free) throw new ConfigError('Another import of a company is under way. Nothing was changed')
  const left = await client.query<{ key: string; value: string }>(
    `select key, value from settings where key like '${BEGUN}%' and key <> $1`,
    [BEGUN + sum],
  )
  for (const { key, value } of left.rows) {
    await store.removeFolder(value)
    await client.query('delete from settings where key = $1', [key])
  }
  await client.query(
    `insert into settings (key, value) select $1, nextval(pg_get_serial_sequence('companies', 'id'))::text
     where not exists (select from settings where key = $1)`,
    [BEGUN + sum],
  )
  const own = await client.query<{ value: string }>('select value from settings where key = $1', [
    BEGUN + sum,
  ])
  return Number(own.rows[0]!.value)
}

const LOCK = 7_262_474
const BEGUN = 'import:'

interface PackedFile {
  label: { name: string; type: string }
  sha256: string
  bytes: AsyncIterable<Buffer>
}

async function writeFile(store: FileStore, path: string, { label, sha256, bytes }: PackedFile) {
  await store.write(path, bytes, label)
  const sum = createHash('sha256')
  const copy = await store.read(path)
  if (copy) for await (const chunk of copy.stream) sum.update(chunk as Uint8Array)
  if (sum.digest('hex') !== sha256) throw new Error(`${path} was not the same after it was written`)
}

async function writeRows(
  client: pg.Client,
  given: Given,
  { index, bytes, sum }: OpenedCompany,
  companyId: number,
) {
  await client.query('begin')
  await client.query(`${UNHURRIED}; set local statement_timeout = '60s'`)
  await makeIds(client)
  const importing = { client, companyId, seal: given.seal(companyId) }
  for (const table of await carryingPlan(client, given.carried)) {
    const entry = `data/${table.plain}.jsonl`
    const packed = index.entries[entry]
    if (!packed || table.how.leftBecause) continue
    const written = await carryRows(importing, table, bytes(entry))
    if (written !== packed.rows) throw new Error(`${table.plain} has ${written} rows and not ${packed.rows}`)
  }
  await client.query('delete from settings where key = $1', [BEGUN + sum])
  await client.query('commit')
}
