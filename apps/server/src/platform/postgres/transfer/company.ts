import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { ConfigError } from '../../config.ts'
import { refuse } from '../../errors.ts'
import { type FileStore, isPackage, type Label, pathOfFile } from '../../files/files.ts'
import { type Adding, writeZip } from '../../files/zip.ts'
import { VERSION } from '../../observe/version.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { TENANT_ROLE } from '../../scope.ts'
import { UNHURRIED } from '../db.ts'
import { keyOrderOf, rowsIn, type Table, tablesOf } from './tables.ts'

/** What lets somebody in, what a connection is paired by, and the state of work under way: of no use elsewhere, or a risk. */
const NOT_PACKED = new Set(
  `sessions login_tries account_links invitations api_tokens api_sends whatsapp_keys whatsapp_leases inbound_events
   import_messages imports cloud_deliveries cloud_sent bot_calls bot_sessions campaign_clocks drafts gpt_dialogs gpt_trials
   mails message_operations payment_events ticket_counts contact_counts company_exports arrivals carried_ids`.split(
    /\s+/,
  ),
)
const SECRETS = new Set(
  `password_hash hash secret webhook_secret webhook_key api_token access_token app_secret verify_token qrcode pairing_code
   token_end`.split(/\s+/),
)

/** What was sealed, wherever it stands in a row. */
const SEALED = `"v[0-9]+\\.[A-Za-z0-9+/=._-]{40,}"`

export interface CompanyPackage {
  format: 'balcao-company'
  version: string
  /** Of the tables. */
  migrations: string[]
  company: { id: number; name: string }
  /** Of each entry but this one. */
  entries: Record<string, { rows?: number; bytes: number; sha256: string; label?: Label }>
}

/** So many bytes may still be packed. */
type Bounded = Adding & { room: { left: number } }

interface Given {
  connection: pg.ClientConfig
  store: FileStore
  companyId: number
  /** Bytes of what is packed; no bound unless it is given. */
  most?: number
}

/**
 * Writes what one company has into a ZIP file: its rows as JSON lines by table, its files, and an index with their sums.
 * PostgreSQL shows the rows of this company alone (row-level security). Without passwords, tokens and the keys of
 * connections, which have to be paired anew. Throws ConfigError where there is no such company. Refuses with
 * ERR_NO_LIMIT_STORAGE as soon as it has more than `most` bytes.
 */
export async function exportCompany(
  { connection, store, companyId, most = Number.POSITIVE_INFINITY }: Given,
  file: string,
): Promise<CompanyPackage> {
  const client = postgresClient(connection)
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    const applied = await client.query<{ name: string }>('select name from migrations order by name')
    await client.query(`${UNHURRIED}; set local timezone = 'UTC'; set local role ${TENANT_ROLE}`)
    await client.query(`select set_config('app.company_id', $1, true)`, [String(companyId)])
    const { rows } = await client.query<{ id: number; name: string }>('select id, name from companies')
    const [company] = rows
    if (!company) throw new ConfigError(`There is no company ${companyId}. Nothing was written`)
    const migrations = applied.rows.map(({ name }) => name)
    const index: CompanyPackage = {
      ...{ format: 'balcao-company', version: VERSION, migrations, company, entries: {} },
    }
    const room = { left: most }
    const bounded = (adding: Adding) => ({ ...adding, room })
    await writeZip(file, async adding => {
      for (const table of await tablesOf(client))
        if (isPacked(table)) await addTable(bounded(adding), client, table, index)
      await addFiles(bounded(adding), store, companyId, index)
      adding.text('index.json', JSON.stringify(index, null, 1))
    })
    return index
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether rows of the table are in a package. */
export function isPacked({ name, columns }: Table) {
  const plain = name.replace('public.', '')
  const isOfCompany = plain === 'companies' || columns.some(column => column.name === 'company_id')
  return isOfCompany && !plain.includes('.') && !NOT_PACKED.has(plain)
}

async function addTable(
  adding: Bounded,
  client: pg.Client,
  { name, columns }: Table,
  { entries }: CompanyPackage,
) {
  const kept = columns.filter(column => !SECRETS.has(column.name)).map(column => column.name)
  const row = `regexp_replace((select to_json(r) from (select ${kept.map(one => `t.${one}`)}) r)::text, '${SEALED}', '""', 'g')`
  const entry = `data/${name.replace('public.', '')}.jsonl`
  const counted = { rows: 0, bytes: 0, sha256: '' }
  const order = await keyOrderOf(client, name)
  const lines = rowsIn(
    client,
    `select ${row} as line from ${name} t ${order}`,
    rows => (counted.rows += rows),
  )
  await addSummed(adding, entry, lines, counted)
  entries[entry] = counted
}

async function addFiles(adding: Bounded, store: FileStore, companyId: number, { entries }: CompanyPackage) {
  for await (const { name } of store.listFolder(String(companyId))) {
    if (isPackage(name)) continue
    const found = await store.read(pathOfFile(companyId, name))
    if (!found) continue
    const entry = `files/${name}`
    const counted = { bytes: 0, sha256: '', label: found.label }
    await addSummed(adding, entry, found.stream, counted)
    entries[entry] = { ...counted }
  }
}

async function addSummed(
  adding: Bounded,
  entry: string,
  bytes: AsyncIterable<string | Uint8Array>,
  counted: { bytes: number; sha256: string },
) {
  const sum = createHash('sha256')
  async function* summed() {
    for await (const chunk of bytes) {
      counted.bytes += Buffer.byteLength(chunk)
      adding.room.left -= Buffer.byteLength(chunk)
      if (adding.room.left < 0) refuse('ERR_NO_LIMIT_STORAGE')
      sum.update(chunk)
      yield chunk
    }
  }
  await adding.stream(Readable.from(summed(), { objectMode: false }), entry)
  counted.sha256 = sum.digest('hex')
}
