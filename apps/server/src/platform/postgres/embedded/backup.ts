import { createWriteStream, type Dirent, existsSync, rmSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import yazl from 'yazl'
import { ConfigError } from '../../config.ts'
import type { Cluster } from './cluster.ts'
import { visitEmbedded } from './embedded.ts'

/** What of DATA_DIR a backup holds beside the cluster. */
const BESIDE = ['secret', 'postgres.password', 'files']

/** What PostgreSQL makes anew at a start (documentation, 25.3.4 "Making a base backup using the low level API"). */
const EMPTIED = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|pgsql_tmp.*|pg_internal\.init.*)$/
/** Read last, since a restore begins from the checkpoint that it names. */
const CONTROL = join('global', 'pg_control')

/**
 * Writes DATA_DIR into a ZIP file, beside a running product or alone: a base backup of the database with the write-ahead
 * log that makes it whole, the files, and the secret. A file of that name is replaced when the new one is complete.
 * Throws ConfigError where there is no database, or the file cannot be written.
 */
export async function backUp(dataDir: string, file: string): Promise<void> {
  const { url, cluster, close } = await visitEmbedded(dataDir, { make: false })
  const partial = `${file}.partial`
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    const zip = new yazl.ZipFile()
    const written = pipeline(zip.outputStream, createWriteStream(partial, { mode: 0o600 }))
    // the first failure is reported
    await Promise.all([written, fill(zip, dataDir, cluster, client)])
    const handle = await open(partial, 'r')
    await handle.sync()
    await handle.close()
    await rename(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    const { code, path, message } = error as NodeJS.ErrnoException
    throw code && path === partial ? new ConfigError(`${file} cannot be written (${message})`) : error
  } finally {
    await client.end().catch(() => {})
    await close()
  }
}

async function fill(zip: yazl.ZipFile, dataDir: string, { folder }: Cluster, client: pg.Client) {
  const adding = adder(zip)
  try {
    // keeps the write-ahead log from now on until this connection ends
    await client.query(
      `select pg_create_physical_replication_slot('balcao_backup_' || pg_backend_pid(), true, true)`,
    )
    await client.query(`select pg_backup_start('balcao', fast => true)`)
    for (const path of await clusterFiles(folder))
      await adding.file(join(folder, path), join('postgres', path))
    await adding.file(join(folder, CONTROL), join('postgres', CONTROL))
    const stopped = await client.query<{ lsn: string; labelfile: string }>(
      'select lsn, labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    const { lsn, labelfile } = stopped.rows[0]!
    adding.text('postgres/backup_label', labelfile)
    for (const name of await logBetween(client, folder, labelfile, lsn))
      await adding.file(join(folder, 'pg_wal', name), `postgres/pg_wal/${name}`)
    // files are written before the rows that name them: those of every row above are there
    for (const name of BESIDE) await adding.tree(join(dataDir, name), name)
    zip.end()
  } catch (error) {
    ;(zip.outputStream as Readable).destroy(error as Error)
    throw error
  }
}

/** Every file of the cluster but those that are made anew; folders that stay empty end with a slash. */
async function clusterFiles(folder: string): Promise<string[]> {
  const paths: string[] = []
  async function walk(below: string) {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    const kept = EMPTIED.has(below) ? [] : entries.filter(({ name }) => !LEFT_OUT.test(name))
    if (kept.length === 0) paths.push(`${below}/`)
    for (const entry of kept) {
      const path = join(below, entry.name)
      if (entry.isDirectory()) await walk(path)
      else if (path !== CONTROL) paths.push(path)
    }
  }
  await walk('.')
  return paths
}

/** The segments of the write-ahead log from where the backup began to where it ended. */
async function logBetween(client: pg.Client, folder: string, label: string, end: string) {
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)![1]!
  const { rows } = await client.query<{ name: string }>('select pg_walfile_name($1::pg_lsn) as name', [end])
  const names = await readdir(join(folder, 'pg_wal'))
  return names.filter(name => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= rows[0]!.name).sort()
}

/** Adds one file after the other, so that few are open at once. One that is gone meanwhile is left out. */
function adder(zip: yazl.ZipFile) {
  async function file(path: string, name: string) {
    if (name.endsWith('/')) return zip.addEmptyDirectory(name, { mode: 0o40700 })
    const handle = await open(path, 'r').catch(missing)
    if (!handle) return
    const { size } = await handle.stat()
    const stream = handle.createReadStream(size > 0 ? { end: size - 1 } : {})
    const ended = new Promise<void>((done, fail) => stream.once('close', done).once('error', fail))
    zip.addReadStream(stream, name, { mode: 0o100600 })
    await ended
  }
  async function tree(path: string, name: string): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true }).catch(notAFolder)
    if (!entries) return existsSync(path) ? file(path, name) : undefined
    for (const entry of entries) await tree(join(path, entry.name), `${name}/${entry.name}`)
  }
  const text = (name: string, content: string) =>
    zip.addBuffer(Buffer.from(content), name, { mode: 0o100600 })
  return { file, tree, text }
}

function missing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return null
  throw error
}

function notAFolder(error: NodeJS.ErrnoException): Dirent[] | null {
  if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return null
  throw error
}
