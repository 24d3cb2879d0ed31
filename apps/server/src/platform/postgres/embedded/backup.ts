import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { type Adding, writeZip, zipInto } from '../../files/zip.ts'
import { postgresClient } from '../../outbound/postgres.client.ts'
import type { Cluster } from './cluster.ts'
import { visitEmbedded } from './embedded.ts'

/** What of DATA_DIR a backup holds beside the cluster. */
const BESIDE = ['secret', 'postgres.password']
const FILES = 'files'

/** What PostgreSQL makes anew at a start (documentation, 25.3.4 "Making a base backup using the low level API"). */
const EMPTIED = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|pgsql_tmp.*|pg_internal\.init.*)$/
/** Read last, since a restore begins from the checkpoint that it names. */
const CONTROL = join('global', 'pg_control')

/**
 * Writes DATA_DIR into a ZIP file, beside a running product or alone: a base backup of the database with the write-ahead
 * log that makes it whole, the secret, and with `files` the files. A file of that name is replaced when the new one is complete.
 * Throws ConfigError where there is no database, or the file cannot be written.
 */
export const backUp = (dataDir: string, file: string, holds: { files: boolean }): Promise<void> =>
  packed(dataDir, holds, fill => writeZip(file, fill)).then(() => {})

/** The same, read by `write` as it is made. Answers the part of the write-ahead log that makes it whole. */
export const backUpInto = (
  dataDir: string,
  holds: { files: boolean },
  write: (bytes: Readable) => Promise<void>,
): Promise<LogSpan> => packed(dataDir, holds, fill => zipInto(fill, write))

/** From where to where in the log a backup was made. */
export interface LogSpan {
  startLsn: string
  stopLsn: string
}

async function packed(
  dataDir: string,
  { files }: { files: boolean },
  pack: (fill: (adding: Adding) => Promise<void>) => Promise<void>,
): Promise<LogSpan> {
  const { url, cluster, close } = await visitEmbedded(dataDir, { make: false })
  const client = postgresClient({ connectionString: url })
  client.on('error', () => {}) // the statement under way reports it
  try {
    await client.connect()
    let span: LogSpan | undefined
    await pack(async adding => {
      span = await fill(adding, client, { dataDir, cluster, beside: files ? [...BESIDE, FILES] : BESIDE })
    })
    return span!
  } finally {
    await client.end().catch(() => {})
    await close()
  }
}

interface Filled {
  dataDir: string
  cluster: Cluster
  beside: string[]
}

async function fill(
  adding: Adding,
  client: pg.Client,
  { dataDir, cluster: { folder }, beside }: Filled,
): Promise<LogSpan> {
  // keeps the write-ahead log from now on until this connection ends
  await client.query(
    `select pg_create_physical_replication_slot('balcao_backup_' || pg_backend_pid(), true, true)`,
  )
  const started = await client.query<{ lsn: string }>(`select pg_backup_start('balcao', fast => true) as lsn`)
  for (const path of await clusterFiles(folder)) await adding.file(join(folder, path), join('postgres', path))
  await adding.file(join(folder, CONTROL), join('postgres', CONTROL))
  const stopped = await client.query<{ lsn: string; labelfile: string }>(
    'select lsn, labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  const { lsn, labelfile } = stopped.rows[0]!
  adding.text('postgres/backup_label', labelfile)
  for (const name of await logBetween(client, folder, labelfile, lsn))
    await adding.file(join(folder, 'pg_wal', name), `postgres/pg_wal/${name}`)
  // files are written before the rows that name them: those of every row above are there
  for (const name of beside) await adding.tree(join(dataDir, name), name)
  return { startLsn: started.rows[0]!.lsn, stopLsn: lsn }
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
  const names = (await readdir(join(folder, 'pg_wal'))).sort()
  const found = names.filter(name => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= rows[0]!.name)
  if (found[0] !== first) throw new Error('the write-ahead log of the backup was removed meanwhile')
  return found
}
