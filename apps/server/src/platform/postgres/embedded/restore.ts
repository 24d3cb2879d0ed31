import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ConfigError } from '../../config.ts'
import { type Archive, openArchive } from '../../files/unzip.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import { openDataDir } from '../../startup/data-dir-lock.ts'
import { RESTORING, visitEmbedded } from './embedded.ts'
import { accountFor } from './programs.ts'

/** What a backup holds, as it was found when it was opened. */
export interface Restored {
  companies: number
  messages: number
  tables: number
  /** Of all tables: each was read, so PostgreSQL checked the checksum of each page. */
  rows: number
  files: number
  /** That were applied to it. */
  migrations: number
}

/** The folder has no room for what the backup holds. */
export class NoRoom extends ConfigError {
  override readonly exitCode = NO_ROOM
}
/** How the command ends then (EX_TEMPFAIL of sysexits.h): it says nothing of the backup. */
export const NO_ROOM = 75

/** How a folder begins in which a backup is tried. */
export const VERIFYING = 'balcao-verify-'

/**
 * Makes DATA_DIR what a backup of `backUp` holds, and starts its database once: it replays its write-ahead log and is
 * asked what it has; every table is counted. DATA_DIR must hold no database yet. Throws ConfigError in one line; DATA_DIR is as before then,
 * unless the database itself does not start. `complete` adds what is not in the file to the folder, before it becomes DATA_DIR, and
 * answers how many files of people that were.
 */
export async function restore(
  file: string,
  dataDir: string,
  { complete }: { complete?: (fresh: string) => Promise<number> } = {},
): Promise<Restored> {
  await openDataDir(dataDir)
  refuseUsedFolder(dataDir)
  const fresh = join(dataDir, RESTORING)
  rmSync(fresh, { recursive: true, force: true })
  let files: number
  try {
    files = await unpack(file, fresh)
    if (!existsSync(join(fresh, 'postgres', 'backup_label')))
      throw new ConfigError(`${file} is no backup of Balcão, or not a whole one. Nothing was changed`)
    giveAway(join(fresh, 'postgres'))
    if (complete) files += await complete(fresh)
    // the database last: until then no product starts on the folder (embedded.ts)
    const names = readdirSync(fresh).filter(name => name !== 'postgres')
    for (const name of [...names, 'postgres']) renameSync(join(fresh, name), join(dataDir, name))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return { ...(await look(dataDir)), files }
}

/** Throws ConfigError where DATA_DIR holds something already. */
export function refuseUsedFolder(dataDir: string): void {
  const existing = ['postgres', 'db', 'secret', 'files'].find(name => existsSync(join(dataDir, name)))
  if (existing)
    throw new ConfigError(
      `DATA_DIR ${dataDir} is in use already (it has ${existing}): give an empty or a new folder. Nothing was changed`,
    )
}

/** Answers how many files of people there are in it. */
async function unpack(file: string, folder: string): Promise<number> {
  try {
    const archive = await openArchive(file)
    try {
      roomFor(file, archive, folder)
      for (const name of archive.sizes.keys()) await unpackEntry(archive, name, folder)
      return [...archive.sizes.keys()].filter(name => KEPT_FILE.test(name)).length
    } finally {
      archive.close()
    }
  } catch (error) {
    if (error instanceof NoRoom) throw error
    throw new ConfigError(
      `${file} cannot be read as a backup (${(error as Error).message}). Nothing was changed`,
    )
  }
}

const KEPT_FILE = /^files\/\d+\/[0-9a-f]{2}\/[0-9a-f]{32}\.[a-z0-9]{1,5}$/

/** A disk that is full stops whatever else is on it: that is found out before anything is written. */
function roomFor(file: string, { sizes }: Archive, folder: string) {
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const { bavail, bsize } = statfsSync(dirname(folder))
  const mb = (size: number) => `${Math.ceil(size / 1_048_576)} MB`
  if (bytes * SPARE > bavail * bsize)
    throw new NoRoom(
      `${file} takes ${mb(bytes)}, and ${dirname(folder)} has ${mb(bavail * bsize)} left. Nothing was changed`,
    )
}

/** The database writes while it recovers. */
const SPARE = 1.2

/** yauzl refuses names that are absolute or lead upwards; that is not left to it alone. */
async function unpackEntry({ bytes }: Archive, name: string, folder: string) {
  const path = resolve(folder, name)
  if (!path.startsWith(folder + sep)) throw new Error(`${name} leads out of the folder`)
  if (name.endsWith('/')) return void mkdirSync(path, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(bytes(name), createWriteStream(path, { mode: 0o600 }))
}

/** As root the cluster belongs to the user that PostgreSQL runs as. */
export function giveAway(cluster: string) {
  const account = accountFor(cluster)
  if (!account) return
  chownSync(cluster, account.uid, account.gid)
  for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
    chownSync(join(cluster, name), account.uid, account.gid)
}

async function look(dataDir: string): Promise<Omit<Restored, 'files'>> {
  const { url, close } = await visitEmbedded(dataDir, { make: false })
  const client = postgresClient({ connectionString: url })
  try {
    await client.connect()
    const counts = new Map<string, number>()
    const { rows } = await client.query<{ name: string }>(TABLES)
    for (const { name } of rows) {
      const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`)
      counts.set(name, Number(counted.rows[0]!.rows))
    }
    const of = (name: string) => counts.get(name) ?? 0
    const sum = [...counts.values()].reduce((all, some) => all + some, 0)
    return {
      companies: of('companies'),
      messages: of('messages'),
      tables: counts.size,
      rows: sum,
      migrations: of('migrations'),
    }
  } finally {
    await client.end()
    await close()
  }
}

/** Of the product and of its jobs, named as SQL names them. */
const TABLES = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'pgboss') order by 1`
