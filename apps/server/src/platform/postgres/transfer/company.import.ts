import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { ConfigError } from '../../config.ts'
import { type FileStore, pathOfFile } from '../../files/files.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { UNHURRIED } from '../db.ts'
import { carryingPlan, type PlannedTable } from './carried.plan.ts'
import { BY_KEYS, carryRows } from './carried.rows.ts'
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
 * Imports a package as a new company, beside running products, in pieces: files, then rows, some thousand a commit. Until the last
 * commit the company is off and not found, as one that is being deleted. After an interruption it is called again and goes on
 * with the same package; `abandonCompany` gives it up. Nothing is written where the package is not what its index says, or where the
 * e-mail of a user is in use. Answers the id of the company.
 */
export async function importCompany(given: Given, opened: OpenedCompany): Promise<number> {
  const { emails, status } = await verified(opened)
  const client = postgresClient(given.connection)
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await client.query(`set timezone = 'UTC'`)
    await refuseOtherTables(client, opened.index)
    await onlyOne(client)
    const arrival = await arrivalOf(client, given, opened)
    await refuseTaken(client, emails, arrival?.companyId ?? null)
    const { companyId, done } = arrival ?? (await begin(client, given, opened))
    for (const [name, { label, sha256 }] of Object.entries(opened.index.entries)) {
      const key = FILE.exec(name)?.[1]
      if (key && label)
        await writeFile(given.store, pathOfFile(companyId, key), { label, sha256, bytes: opened.bytes(name) })
    }
    await writeRows(client, given, opened, { companyId, done, status })
    return companyId
  } finally {
    await client.end().catch(() => {})
  }
}

/** Gives up a company that has not arrived: it is deleted like others. Throws ConfigError where there is none of this id. */
export async function abandonCompany(connection: pg.ClientConfig, companyId: number): Promise<string> {
  const client = postgresClient(connection)
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await onlyOne(client)
    const { rows } = await client.query<{ name: string }>(
      `update companies set arrival = 'abandoned' where id = $1 and arrival = 'coming' returning name`,
      [companyId],
    )
    if (!rows[0]) throw new ConfigError(`No company ${companyId} is arriving. Nothing was changed`)
    return rows[0].name
  } finally {
    await client.end().catch(() => {})
  }
}

const TABLE = /^data\/\w+\.jsonl$/
const FILE = /^files\/([0-9a-f]{32}\.[a-z0-9]{1,5})$/

/** Reads all of a package, and answers the e-mails of its users and whether it was active. Throws ConfigError where it is not what its index says. */
async function verified({ index, bytes }: OpenedCompany): Promise<{ emails: string[]; status: number }> {
  const emails: string[] = []
  let status = 0
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
        if (name === COMPANIES) status = (JSON.parse(line) as { status: number }).status
      }
    if (sum.digest('hex') !== sha256 || (rows !== undefined && rows !== found))
      throw new ConfigError(`${name} is not what index.json says. Nothing was changed`)
  }
  return { emails, status }
}

async function refuseOtherTables(client: pg.Client, { migrations }: CompanyPackage) {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  if (rows.map(({ name }) => name).join() === migrations.join()) return
  throw new ConfigError(
    'The tables of this database are of another version than the package. Nothing was changed',
  )
}

/** Those of the users that this package brought already are its own. */
async function refuseTaken(client: pg.Client, emails: string[], arriving: number | null) {
  const { rows } = await client.query<{ email: string }>(
    'select email from users where lower(email) in (select lower(e) from unnest($1::text[]) e) and company_id is distinct from $2 order by 1',
    [emails, arriving],
  )
  if (rows.length === 0) return
  throw new ConfigError(
    `These e-mails belong to users of this installation already: ${rows.map(({ email }) => email).join(', ')}. Nothing was changed`,
  )
}

async function onlyOne(client: pg.Client) {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK])
  if (!rows[0]!.free) throw new ConfigError('Another import of a company is under way. Nothing was changed')
}

const LOCK = 7_262_474
const COMPANIES = 'data/companies.jsonl'

/** How far a package came: rows by entry. */
interface Arrival {
  companyId: number
  done: Record<string, number>
}

/** What versions before left is removed: files under an id that a row of `settings` kept. */
async function arrivalOf(
  client: pg.Client,
  { store }: Given,
  { sum }: OpenedCompany,
): Promise<Arrival | null> {
  const left = await client.query<{ key: string; value: string }>(
    `select key, value from settings where key like 'import:%'`,
  )
  for (const { key, value } of left.rows) {
    await store.removeFolder(value)
    await client.query('delete from settings where key = $1', [key])
  }
  const { rows } = await client.query<Arrival>(
    `select a.company_id as "companyId", a.done from arrivals a join companies c on c.id = a.company_id
     where a.package = $1 and c.arrival = 'coming'`,
    [sum],
  )
  return rows[0] ?? null
}

/** The row of the company, off and hidden, with which everything else can refer to it. */
async function begin(
  client: pg.Client,
  given: Given,
  { index, bytes, sum }: OpenedCompany,
): Promise<Arrival> {
  const { rows } = await client.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('companies', 'id'))::int as id`,
  )
  const companyId = rows[0]!.id
  const [companies] = (await carryingPlan(client, given.carried)).filter(({ plain }) => plain === 'companies')
  const importing = { client, companyId, seal: given.seal(companyId) }
  const packed = index.entries[COMPANIES]
  if (!companies || packed?.rows !== 1)
    throw new ConfigError(`${COMPANIES} has not one row. Nothing was changed`)
  await carryRows(importing, companies, bytes(COMPANIES), {
    done: null,
    commit: (_rows, write) =>
      inTransaction(client, async () => {
        await write()
        await client.query(
          `insert into arrivals (company_id, package, done) values ($1, $2, jsonb_build_object($3::text, 1))
           on conflict (company_id) do nothing`,
          [companyId, sum, COMPANIES],
        )
      }),
  })
  return { companyId, done: { [COMPANIES]: 1 } }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await client.query(`${UNHURRIED}; set local statement_timeout = '60s'; ${BY_KEYS}`)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

interface PackedFile {
  label: { name: string; type: string }
  sha256: string
  bytes: AsyncIterable<Buffer>
}

/** One that an interrupted try wrote stays. */
async function writeFile(store: FileStore, path: string, { label, sha256, bytes }: PackedFile) {
  if ((await sumAt(store, path)) === sha256) return
  await store.write(path, bytes, label)
  if ((await sumAt(store, path)) !== sha256) throw new Error(`${path} was not the same after it was written`)
}

async function sumAt(store: FileStore, path: string): Promise<string | null> {
  const copy = await store.read(path)
  if (!copy) return null
  const sum = createHash('sha256')
  for await (const chunk of copy.stream) sum.update(chunk as Uint8Array)
  return sum.digest('hex')
}

async function writeRows(
  client: pg.Client,
  given: Given,
  { index, bytes }: OpenedCompany,
  { companyId, done, status }: Arrival & { status: number },
) {
  const importing = { client, companyId, seal: given.seal(companyId) }
  const plan = (await carryingPlan(client, given.carried)).filter(({ how }) => !how.leftBecause)
  const carry = async (table: PlannedTable, commit: Parameters<typeof carryRows>[3]['commit']) => {
    const entry = entryOfTable(table)
    const packed = index.entries[entry]
    if (!packed) return
    const written = await carryRows(importing, table, bytes(entry), { done: done[entry] ?? null, commit })
    if (written !== packed.rows) throw new Error(`${table.plain} has ${written} rows and not ${packed.rows}`)
  }
  for (const table of plan.filter(({ isLast }) => !isLast))
    await carry(table, (rows, write) =>
      inTransaction(client, async () => {
        await stillComing(client, companyId)
        await write()
        await client.query(
          'update arrivals set done = done || jsonb_build_object($2::text, $3::int) where company_id = $1',
          [companyId, entryOfTable(table), rows],
        )
      }),
    )
  await inTransaction(client, async () => {
    await stillComing(client, companyId)
    await client.query('update companies set status = $2, leaving_at = null, arrival = null where id = $1', [
      companyId,
      status,
    ])
    for (const table of plan.filter(({ isLast }) => isLast)) await carry(table, (_rows, write) => write())
    await client.query('delete from carried_ids where company_id = $1', [companyId])
    await client.query('delete from arrivals where company_id = $1', [companyId])
  })
}

const entryOfTable = ({ plain }: PlannedTable) => `data/${plain}.jsonl`

/** Locked until the commit: who gives it up waits for the piece. */
async function stillComing(client: pg.Client, companyId: number) {
  const { rowCount } = await client.query(
    `select from companies where id = $1 and arrival = 'coming' for no key update`,
    [companyId],
  )
  if (!rowCount) throw new ConfigError('The import was given up meanwhile')
}
