import { ConfigError } from '../config.ts'
import type { Database, Sql } from '../postgres/db.ts'
import { isBegun } from '../postgres/migrate.ts'
import { rowsFrom, sql as tag } from '../postgres/sql.ts'
import { hasColumn, nextSealed, SEALING_KEYS, type SealedColumn, type SealedText } from './sealed.ts'
import { type OpenedSecrets, SEALED, type Secrets } from './secrets.ts'

/** The key of an advisory lock; no other lock has it. */
const LOCK = 7_262_463

/** How many rows of each table are read where the database does not name its secret yet. */
const SAMPLE = 2_000

/** What the table `sealing_keys` holds: a row for each secret that may have sealed something, and whose installation it is. */
interface SealingKey {
  keyId: string
  installation: string
}

/**
 * Refuses a secret that is not that of the database, before anything is changed: with another, tokens and the keys of
 * connections cannot be read. A database of before the table `sealing_keys` is asked by what was sealed in it.
 */
export async function refuseOtherSecret(
  database: Database,
  secrets: OpenedSecrets,
  columns: SealedColumn[],
): Promise<void> {
  const recorded = await recordedKeys(database)
  if (recorded.length > 0) return refuseUnknown(secrets, recorded)
  if (!(await isBegun(database))) return
  const { openedBy, found } = await database.transaction('', sql => sampled(sql, secrets, columns))
  if (found > 0 && !openedBy) throw otherSecret()
}

/** Records that this secret seals, after the migrations. Answers the secrets under the name that the installation has. */
export async function agreeOnKeys(
  database: Database,
  secrets: OpenedSecrets,
  columns: SealedColumn[],
): Promise<Secrets> {
  return database.transaction(`select pg_advisory_xact_lock(${LOCK})`, async sql => {
    await sql.execute(SEALING_KEYS)
    const recorded = await keysIn(sql)
    refuseUnknown(secrets, recorded)
    const installation = recorded[0]?.installation ?? (await installationOf(sql, secrets, columns))
    await record(sql, secrets.keyId, installation)
    return { ...secrets, installation }
  })
}

/** After everything is sealed with one secret: the others are of no use any more. Answers how many were removed. */
export async function forgetOtherKeys(sql: Sql, keyId: string): Promise<number> {
  const gone = await rowsFrom(sql, tag`delete from sealing_keys where key_id <> ${keyId} returning 1`)
  return gone.length
}

/** Where the secret of the database is lost: what it sealed stays unreadable, and a start with this one is not refused. */
export const replaceLostSecret = (database: Database, { keyId, installation }: Secrets): Promise<void> =>
  database.transaction(`select pg_advisory_xact_lock(${LOCK})`, async sql => {
    await sql.execute(SEALING_KEYS)
    const [first] = await keysIn(sql)
    await sql.execute(tag`delete from sealing_keys`)
    await record(sql, keyId, first?.installation ?? installation)
  })

const record = (sql: Sql, keyId: string, installation: string) =>
  sql.execute(
    tag`insert into sealing_keys (key_id, installation) values (${keyId}, ${installation}) on conflict do nothing`,
  )

export const recordedKeys = (database: Database) => database.transaction('', keysIn)

async function keysIn(sql: Sql): Promise<SealingKey[]> {
  const [table] = await rowsFrom<{ known: boolean }>(
    sql,
    tag`select to_regclass('public.sealing_keys') is not null as known`,
  )
  if (!table!.known) return []
  return rowsFrom<SealingKey>(
    sql,
    tag`select key_id as "keyId", installation from sealing_keys order by made_at, key_id`,
  )
}

function refuseUnknown({ known }: OpenedSecrets, recorded: SealingKey[]) {
  if (recorded.some(({ keyId }) => known.every(one => one.keyId !== keyId))) throw otherSecret()
}

const otherSecret = () =>
  new ConfigError(
    'JWT_SECRET (or DATA_DIR/secret) is not the secret that sealed what the database holds: the keys of WhatsApp numbers ' +
      'and the tokens of integrations. Nothing was changed. Give the secret of before; to replace it give the new one as ' +
      'JWT_SECRET and that of before as JWT_SECRET_OLD; if that is lost: npm run reseal -- --lost',
  )

/** Before the first record the name was derived from the secret, so it is that of the secret which sealed. */
async function installationOf(sql: Sql, secrets: OpenedSecrets, columns: SealedColumn[]): Promise<string> {
  const { openedBy } = await sampled(sql, secrets, columns)
  return secrets.known.find(({ keyId }) => keyId === openedBy)?.installation ?? secrets.installation
}

/** Whole values only: within texts of customers a likeness of one may stand. */
async function sampled(sql: Sql, secrets: OpenedSecrets, columns: SealedColumn[]) {
  const isWhole = new RegExp(`^${SEALED.source}$`)
  let found = 0
  for (const column of columns)
    for (const { companyId, text } of await sampleOf(sql, column)) {
      if (!isWhole.test(text)) continue
      found++
      const openedBy = secrets.keyIdOf(companyId, text)
      if (openedBy) return { found, openedBy }
    }
  return { found, openedBy: null }
}

/** Before the migrations the database is of an earlier version, which may not have had the column. */
const sampleOf = async (sql: Sql, column: SealedColumn): Promise<SealedText[]> =>
  (await hasColumn(sql, column)) ? (await nextSealed(sql, column, null, SAMPLE)).found : []
