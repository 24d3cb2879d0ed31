import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { cut } from '@balcao/contract/cut.rules.ts'
import type pg from 'pg'
import { drill, restoredOnce } from './backup.restored.ts'
import { beginBackupRun, type Ended, endBackupRun } from './features/backups/backups.queries.ts'
import { openSecrets } from './platform/access/secrets.ts'
import {
  type BaseIndex,
  basesAt,
  filesListed,
  type PackedDatabase,
  sendFiles,
  writeBase,
} from './platform/backup/base.ts'
import { currentStream } from './platform/backup/log.ts'
import { baseObject, fileObject } from './platform/backup/names.ts'
import { newestBase, removeOld } from './platform/backup/retention.ts'
import { type BackupTarget, openTarget } from './platform/backup/target.ts'
import { databaseNow, readDatabaseClock } from './platform/clock.ts'
import { type BackupConfig, type Config, ConfigError } from './platform/config.ts'
import { createLog } from './platform/observe/log.ts'
import { postgresClient } from './platform/outbound/postgres.client.ts'
import { type Database, openDatabase } from './platform/postgres/db.ts'
import { backUpInto } from './platform/postgres/embedded/backup.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { VERIFYING } from './platform/postgres/embedded/restore.ts'
import { exportRowsInto } from './platform/postgres/transfer/export.ts'
import { databaseAnswers } from './platform/startup/wait-for-servers.ts'

type Print = (line: string) => void

/** What a command on the target has. */
export interface Sealed {
  config: Config & { backup: BackupConfig }
  target: BackupTarget
  database: Database
  /** One connection, which holds the lock of who writes. */
  client: pg.Client
  url: string
}

const LOCK = 7_262_476

/** Runs a command that writes to the target, one at a time; null where another is under way. */
async function atTarget<T>(config: Config, work: (sealed: Sealed) => Promise<T>): Promise<T | null> {
  const { backup } = config
  if (!backup) throw new ConfigError(NO_TARGET)
  const visited = config.databaseUrl ? null : await visitEmbedded(config.dataDir, { make: false })
  // its lock is of the session: not over a pooler
  const url =
    visited?.url ?? (await databaseAnswers(config, createLog({ logLevel: 'warn' }))) ?? config.databaseUrl!
  const database = openDatabase(url)
  const client = postgresClient({ connectionString: url })
  client.on('error', () => {}) // the statement under way reports it
  const target = await openTarget(backup)
  try {
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (!rows[0]!.mine) return null
    await readDatabaseClock(database)
    await clearTrials(config.dataDir)
    return await work({ config: { ...config, backup }, target, database, client, url })
  } finally {
    target.close()
    await client.end().catch(() => {})
    await database.close()
    await visited?.close()
  }
}

/** What a process left that was killed while it tried a backup. */
async function clearTrials(dataDir: string) {
  for (const name of await readdir(dataDir))
    if (name.startsWith(VERIFYING)) await rm(join(dataDir, name), { recursive: true, force: true })
}

/** Makes a backup, restores it once, and removes old ones. Its row says how it ended. */
export function makeBackup(config: Config, print: Print): Promise<true | null> {
  return atTarget(config, async sealed => {
    await recorded(sealed, 'backup', async () => {
      const { target } = sealed
      const now = databaseNow()
      const { index, sent } = await writeBase(target, await packedBy(sealed), {
        dataDir: config.dataDir,
        now,
      })
      const { found, hasRoom } = await proven(sealed, index)
      await removeOld(target, sealed.config.backup, now)
      const bytes = index.bytes + index.fileBytes
      print(
        `${target.place} holds the backup ${index.id}: ${bytes} bytes, of which ${sent} were sent. ${found}`,
      )
      const held = { bytes, sent, files: index.files, stream: index.log?.stream ?? '' }
      return { ...held, state: hasRoom ? 'verified' : 'made', found }
    })
    return true as const
  })
}

/** One that is not what it should be does not replace those before it. */
async function proven(sealed: Sealed, index: BaseIndex) {
  const { target, config } = sealed
  try {
    const { found, hasRoom } = await restoredOnce(sealed, index)
    const { compared, missing } = await compareFiles(target, index, config.dataDir)
    if (missing > 0)
      throw new ConfigError(`${missing} of the files that the backup lists are not in ${target.place}`)
    return { found: `${found} ${compared} files were compared.`, hasRoom }
  } catch (error) {
    const isAlone = (await basesAt(target)).length < 2
    if (!isAlone) await target.remove(baseObject(index.id, 'index'))
    throw error
  }
}

/** Sends the files that came since the last backup. */
export const catchUp = (config: Config): Promise<number | null> =>
  atTarget(config, async ({ target }) => (await sendFiles(target, config.dataDir)).sent)

/** Writes how a run ends into its row, whatever happens. */
async function recorded(
  { database, target }: Pick<Sealed, 'database' | 'target'>,
  kind: 'backup' | 'drill',
  work: () => Promise<Ended>,
): Promise<void> {
  const id = await database.transaction('', sql => beginBackupRun(sql, kind, target.place))
  try {
    const ended = await work()
    await database.transaction('', sql => endBackupRun(sql, id, ended))
  } catch (error) {
    const found = cut((error as Error).message, 1_000)
    await database.transaction('', sql => endBackupRun(sql, id, { state: 'failed', found }))
    throw error
  }
}

async function packedBy({ config, client, url }: Sealed): Promise<PackedDatabase> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl) {
    const { installation } = await openSecrets(config, async () => true)
    return {
      kind: 'rows',
      async pack(write) {
        await exportRowsInto({ url, installation }, write)
        return { log: null }
      },
    }
  }
  // the stream began before the backup does: nothing is missing between them
  const stream = await currentStream(client)
  return {
    kind: 'cluster',
    async pack(write) {
      const { stopLsn } = await backUpInto(dataDir, { files: false }, write)
      return { log: stream ? { stream, stopLsn } : null }
    },
  }
}

/** So many files are read again and compared with those of DATA_DIR. */
const SAMPLE = 50

async function compareFiles(target: BackupTarget, { id }: BaseIndex, dataDir: string) {
  const paths = await filesListed(target, id)
  const there = new Set<string>()
  for await (const { path } of target.under('files/')) there.add(path)
  const missing: string[] = []
  for (const path of paths)
    if (!there.has(fileObject(path)) && (await sumOf(join(dataDir, 'files', path)))) missing.push(path)
  let compared = 0
  for (let many = Math.min(SAMPLE, paths.length); many > 0; many--) {
    const path = paths[Math.floor(Math.random() * paths.length)]!
    const [own, kept] = [await sumOf(join(dataDir, 'files', path)), await target.read(fileObject(path))]
    if (!own || !kept) continue
    if (sumIn(await buffer(kept)) !== own) throw new ConfigError(`${path} is another file in ${target.place}`)
    compared++
  }
  return { compared, missing: missing.length }
}

const sumIn = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
/** Null where it was removed meanwhile. */
const sumOf = (file: string): Promise<string | null> => readFile(file).then(sumIn, () => null)

/** Restores the newest backup once, and says what it holds. */
export async function provenOnce(config: Config, print: Print): Promise<void> {
  await withTarget(config, async target => {
    const newest = await newestBase(target)
    if (!newest) throw new ConfigError(`${target.place} holds no backup of this BACKUP_KEY`)
    const { found, hasRoom } = await restoredOnce({ config, target }, newest.index)
    print(`The backup ${newest.id} ${hasRoom ? 'can be restored' : 'was not tried'}: ${found}`)
  })
}

/** Restores the newest backup and starts it; its row says how that ended. */
export const drilled = (config: Config, print: Print): Promise<true | null> =>
  atTarget(config, async sealed => {
    await recorded(sealed, 'drill', async () => {
      const { index, found } = await drill(sealed)
      print(found)
      return { state: 'verified', bytes: index.bytes + index.fileBytes, files: index.files, found }
    })
    return true as const
  })

export const BUSY = 'Another command works with the backups: nothing was done.'

async function withTarget(config: Config, work: (target: BackupTarget) => Promise<void>) {
  if (!config.backup) throw new ConfigError(NO_TARGET)
  const target = await openTarget(config.backup)
  try {
    await work(target)
  } finally {
    target.close()
  }
}

const NO_TARGET = 'BACKUP_TO takes file:/a/folder or s3://bucket/prefix: where backups are written'
