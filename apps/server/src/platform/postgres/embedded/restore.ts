import { chownSync, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import yauzl from 'yauzl'
import { ConfigError } from '../../config.ts'
import { openDataDir } from '../../startup/data-dir-lock.ts'
import { visitEmbedded } from './embedded.ts'
import { accountFor } from './programs.ts'

/** What a backup holds, as it was found when it was opened. */
export interface Restored {
  companies: number
  messages: number
}

/**
 * Makes DATA_DIR what a backup of `backUp` holds, and starts its database once: it replays its write-ahead log and is
 * asked what it has. DATA_DIR must hold no database yet. Throws ConfigError in one line; DATA_DIR is as before then,
 * unless the database itself does not start.
 */
export async function restore(file: string, dataDir: string): Promise<Restored> {
  await openDataDir(dataDir)
  const existing = ['postgres', 'db', 'secret', 'files'].find(name => existsSync(join(dataDir, name)))
  if (existing)
    throw new ConfigError(
      `DATA_DIR ${dataDir} is in use already (it has ${existing}): give an empty or a new folder. Nothing was changed`,
    )
  const fresh = join(dataDir, 'restoring')
  rmSync(fresh, { recursive: true, force: true })
  try {
    await unpack(file, fresh)
    if (!existsSync(join(fresh, 'postgres', 'backup_label')))
      throw new ConfigError(`${file} is no backup of Balcão, or not a whole one. Nothing was changed`)
    giveAway(join(fresh, 'postgres'))
    for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(dataDir, name))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return look(dataDir)
}

async function unpack(file: string, folder: string) {
  try {
    const zip = await yauzl.openPromise(file)
    for await (const entry of zip.eachEntry()) await unpackEntry(zip, entry, folder)
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read as a backup (${(error as Error).message}). Nothing was changed`,
    )
  }
}

/** yauzl refuses names that are absolute or lead upwards; that is not left to it alone. */
async function unpackEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, folder: string) {
  const path = resolve(folder, entry.fileName)
  if (!path.startsWith(folder + sep)) throw new Error(`${entry.fileName} leads out of the folder`)
  if (entry.fileName.endsWith('/')) return void mkdirSync(path, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { mode: 0o600 }))
}

/** As root the cluster belongs to the user that PostgreSQL runs as. */
function giveAway(cluster: string) {
  const account = accountFor(cluster)
  if (!account) return
  chownSync(cluster, account.uid, account.gid)
  for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
    chownSync(join(cluster, name), account.uid, account.gid)
}

async function look(dataDir: string): Promise<Restored> {
  const { url, close } = await visitEmbedded(dataDir, { make: false })
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const { rows } = await client.query<Restored>(
      'select (select count(*) from companies)::int as companies, (select count(*) from messages)::int as messages',
    )
    return rows[0]!
  } finally {
    await client.end()
    await close()
  }
}
